package import Foundation

/// One line of text for a whole set of version hashes, as stores and `VersionInfo.plist` keep it.
package enum ModelDigest {
  /// The value of `NSStoreModelVersionHashesDigest`: names and hashes, in SHA-512.
  package static func digest(of hashes: [String: Data]) -> String {
    var digest = SHA512()
    for (name, hash) in hashes.sortedByCodePoints(\.key) {
      digest.update(name.utf8)
      digest.update(hash)
    }
    return digest.finish().base64EncodedString()
  }

  /// The value of `NSStoreModelVersionChecksumKey` and of a version in
  /// `NSManagedObjectModel_VersionChecksums`: the hashes alone, in SHA-256.
  package static func checksum(of hashes: [String: Data]) -> String {
    var digest = SHA256()
    for (_, hash) in hashes.sortedByCodePoints(\.key) { digest.update(hash) }
    return digest.finish().base64EncodedString()
  }
}

extension ModelSchema {
  package var versionHashesDigest: String { ModelDigest.digest(of: entityVersionHashes) }
  package var versionChecksum: String { ModelDigest.checksum(of: entityVersionHashes) }
}
