import TestSupport

/// Swift Testing has a `Tag` too; in these tests it is the one that notes carry.
typealias Tag = TestSupport.Tag
