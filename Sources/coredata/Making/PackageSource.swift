import Foundation

/// The place of the package open-core-data, as the manifest of a new program names it.
enum PackageSource {
  /// A folder, and its path from the new program's folder.
  case folder(URL, path: String)
  /// A repository, and the argument of the manifest that chooses one of its commits.
  case repository(String, requirement: String)

  /// The value of the arguments `--package`, `--branch` and `--from`; without them, the package that the tool was built
  /// from.
  init(_ arguments: inout CommandArguments, ownPackage: () throws -> URL) throws {
    let place = try arguments.value(ifGiven: "--package")
    let branch = try arguments.value(ifGiven: "--branch")
    let version = try arguments.value(ifGiven: "--from")
    if let place, Self.isRepository(place) {
      self = .repository(
        try Self.literal(place, "--package"),
        requirement: try Self.requirement(branch: branch, version: version)
      )
      return
    }
    guard branch == nil, version == nil else {
      throw Refusal(
        "--branch and --from choose a commit of a repository; give its URL with --package"
      )
    }
    guard let place else {
      let folder = try ownPackage()
      self = .folder(folder, path: try Self.literal(folder.path, "the path"))
      return
    }
    let folder = URL(filePath: place, directoryHint: .isDirectory).standardizedFileURL
    guard Self.isPackage(folder) else {
      throw Refusal(
        "\(folder.path) is not the package open-core-data; give --package its folder, or the URL of its repository"
      )
    }
    // Both folders may then be moved together.
    let path = place.hasPrefix("/") ? folder.path : "../" + place
    self = .folder(folder, path: try Self.literal(path, "--package"))
  }

  /// Whether the text is a URL, or a place as `ssh` has it (`git@example.com:notes.git`).
  private static func isRepository(_ place: String) -> Bool {
    place.contains("://") || place.wholeMatch(of: /[\w.\-]+@[\w.\-]+:.+/) != nil
  }

  private static func requirement(branch: String?, version: String?) throws -> String {
    switch (branch, version) {
    case (let branch?, nil): return "branch: \"\(try literal(branch, "--branch"))\""
    case (nil, let version):
      let version = version ?? PackageVersion.number
      guard version.wholeMatch(of: /\d{1,9}\.\d{1,9}\.\d{1,9}/) != nil else {
        throw Refusal("'\(version)' is not a version; write it as in 0.1.0")
      }
      return ".upToNextMinor(from: \"\(version)\")"
    case (_?, _?):
      throw Refusal("--branch and --from both choose a commit of the repository; give one of them")
    }
  }

  /// The text, if it may be inside the quotation marks of a manifest as it is.
  private static func literal(_ text: String, _ option: String) throws -> String {
    guard text.utf8.count <= 4096,
      text.unicodeScalars.allSatisfy({ $0.value >= 32 && !["\"", "\\", "\u{7F}"].contains($0) })
    else {
      throw Refusal(
        "\(option) has a quotation mark, a backslash or a control character, or is too long"
      )
    }
    return text
  }

  static func isPackage(_ folder: URL) -> Bool {
    let manifest = folder.appending(component: "Package.swift")
    // A folder without a manifest is not the package.
    guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return false }
    return text.contains("name: \"open-core-data\",\n  products:")
  }
}

extension PackageSource {
  /// Whether every machine can get the package: that of a repository.
  var isFetched: Bool {
    if case .repository = self { true } else { false }
  }

  /// The package's name in dependencies of a target.
  var identity: String {
    guard case .repository(let place, _) = self else { return "open-core-data" }
    let last =
      place.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? place
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }

  /// The dependency in the manifest.
  var dependency: String {
    switch self {
    case .folder(_, let path): ".package(name: \"open-core-data\", path: \"\(path)\")"
    case .repository(let place, let requirement): ".package(url: \"\(place)\", \(requirement))"
    }
  }
}
