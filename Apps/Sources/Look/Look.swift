public import Foundation

/// The parts that the programs' pages share: colours and measures, controls, and the little
/// JavaScript that every page needs.
///
///     router.files(under: "/look", from: Look.folder)
///
/// Slipbox, which has controls of its own, takes the colours and measures in `tokens.css`.
public enum Look {
  public static let folder: URL = Bundle.module.bundleURL.appendingPathComponent("Web")
}
