/// The version of this package.
enum PackageVersion {
  /// The number that `--version` prints.
  ///
  /// `Scripts/check-sources.sh` compares it with the newest version in `CHANGELOG.md`.
  static let number = "0.1.0"
}
