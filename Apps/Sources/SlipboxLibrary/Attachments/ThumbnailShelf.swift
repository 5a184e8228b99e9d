import Foundation
import Synchronization

/// Placeholder
final class ThumbnailShelf: Sendable {}
