//! The only disk writes of the house.
