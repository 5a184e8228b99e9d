public import Foundation

/// placeholder until the class is written.
open class NSComparisonPredicate: NSPredicate {
}
