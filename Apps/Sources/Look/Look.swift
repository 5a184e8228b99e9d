public import Foundation

/// What the pages of the small programs share: colours, controls, and the little JavaScript that
/// every page needs.
///
///     router.files(under: "/look", from: Look.folder)
public enum Look {
  public static let folder: URL = Bundle.module.bundleURL.appendingPathComponent("Web")
}
