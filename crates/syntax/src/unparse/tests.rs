//! Trees back to text: layout, parentheses, every kind of node.
