import Foundation

/// The place where a server keeps everything.
package struct ServerStorage: Sendable {
  package let zones: any ZoneStorage
  package let tokens: any TokenStorage
  package let assets: any AssetStorage

  package init(
    zones: any ZoneStorage,
    tokens: any TokenStorage,
    assets: any AssetStorage
  ) {
    self.zones = zones
    self.tokens = tokens
    self.assets = assets
  }

  /// A file for zones and tokens, which is made if it is missing, and the folder `assets` beside it.
  package init(path: String, isDurable: Bool = true) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().appending(path: "assets")
    self.init(
      zones: try SQLiteZoneStorage(path: path, isDurable: isDurable),
      tokens: try SQLiteTokenStorage(path: path),
      assets: AssetShelf(in: folder, isDurable: isDurable)
    )
  }
}
