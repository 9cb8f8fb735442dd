//! Orders in texts: reading blocks, writing them.
