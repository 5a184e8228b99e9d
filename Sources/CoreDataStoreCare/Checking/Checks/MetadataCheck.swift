import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The file's metadata: whether it can be read, and belongs to the model.
struct MetadataCheck {
  let metadata: CheckedMetadata
  let schema: ModelSchema?

  var findings: [Finding] {
    guard let count = metadata.rowCount else { return [missingTable] }
    var findings: [Finding] = []
    if let list = metadata.list {
      findings += unknownFormat(list).map { [$0] } ?? unusableValues(list)
    } else {
      findings.append(unreadable(hasRow: count > 0))
    }
    if count > 1 { findings.append(finding("it has \(count) rows, and should have one")) }
    if count > 0, metadata.identifier?.isEmpty ?? true {
      findings.append(finding("the store has no UUID", remedy: newIdentifier))
    }
    return findings
  }

  private func finding(_ sentence: String, remedy: Remedy? = nil) -> Finding {
    Finding(.error, .metadata, .table("Z_METADATA"), sentence, remedy: remedy)
  }

  private var missingTable: Finding {
    Finding(
      .error,
      .metadata,
      .table("Z_METADATA"),
      "the table is missing, without which nothing opens the store",
      remedy: Remedy(
        "makes the table",
        .tables,
        [SQLFragment(stringLiteral: TablesWriter.metadataTable)]
      )
    )
  }

  private func unreadable(hasRow: Bool) -> Finding {
    finding(
      hasRow
        ? "the store's metadata cannot be read" : "the store has no metadata",
      remedy: schema.flatMap { fresh($0, hasRow: hasRow) }
    )
  }

  /// Metadata as a new store has them; entries of programs are lost already.
  private func fresh(_ schema: ModelSchema, hasRow: Bool) -> Remedy? {
    // A model whose own hashes no property list takes does not exist.
    guard let list = try? StoreMetadata(for: schema).binary else { return nil }
    let bytes = SQLValue.blob([UInt8](list))
    return Remedy(
      "writes the metadata that the model gives",
      .bookkeeping,
      [
        hasRow
          ? "UPDATE Z_METADATA SET Z_PLIST = \(bytes)"
          : """
          INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) \
          VALUES (1, \(.text(UUID().uuidString)), \(bytes))
          """
      ]
    )
  }

  private var newIdentifier: Remedy {
    Remedy(
      "gives it a new one",
      .bookkeeping,
      ["UPDATE Z_METADATA SET Z_UUID = \(.text(UUID().uuidString)) WHERE IFNULL(Z_UUID, '') = ''"]
    )
  }
}

// MARK: - Values that no program can use

extension MetadataCheck {
  /// A format that opening refuses.
  ///
  /// The differences of such a format are unknown, so no repair writes another number.
  private func unknownFormat(_ list: [String: Any]) -> Finding? {
    guard let format = StoreMetadata.unknownFormat(version: metadata.version, list) else {
      return nil
    }
    var finding = finding("it has \(format), which is not known here: nothing opens the store")
    finding.advice = "use a newer version; if the number is damaged, \(DatabaseCheck.advice)"
    return finding
  }

  private func unusableValues(_ list: [String: Any]) -> [Finding] {
    // They are written as a whole, so that one remedy is for all of them.
    let remedy = mended(list)
    return wrongType(list[NSStoreTypeKey], remedy) + unusableHashes(hashes == nil ? nil : remedy)
  }

  private func wrongType(_ type: Any?, _ remedy: Remedy?) -> [Finding] {
    guard let type else { return [] }
    guard let name = type as? String else {
      return [finding("the store's type (\(NSStoreTypeKey)) is no text", remedy: remedy)]
    }
    if name == NSSQLiteStoreType { return [] }
    return [finding("it says that the store is of the type \(name)")]
  }

  private func unusableHashes(_ remedy: Remedy?) -> [Finding] {
    guard let entities = metadata.entities else {
      return [noHashes("the version hashes are missing, or are no dictionary", remedy)]
    }
    if entities.isEmpty, let schema, !schema.entities.isEmpty {
      return [noHashes("there are no version hashes, but entities in the model", remedy)]
    }
    let broken = entities.subtracting(metadata.hashes.keys).sorted()
    if broken.isEmpty { return [] }
    let words = broken.count.of("version hash is", "version hashes are")
    var finding = noHashes("\(words) not data of 32 bytes", remedy)
    finding.count = broken.count
    finding.examples = .names(Array(broken.prefix(Finding.Examples.limit)))
    return [finding]
  }

  private func noHashes(_ sentence: String, _ remedy: Remedy?) -> Finding {
    let place = "(\(NSStoreModelVersionHashesKey))"
    return finding("\(sentence) \(place): nothing opens the store", remedy: remedy)
  }

  /// The hashes that should be there; `nil` if those that can be read are not the model's.
  private var hashes: [String: Data]? {
    guard let known = schema?.entityVersionHashes,
      metadata.hashes.allSatisfy({ known[$0.key] == $0.value })
    else { return nil }
    // A configuration may have only some of the model's entities.
    guard let entities = metadata.entities, !entities.isEmpty else { return known }
    return entities.isSubset(of: known.keys) ? known.filter { entities.contains($0.key) } : nil
  }

  /// The same metadata with everything that is not a value replaced.
  private func mended(_ old: [String: Any]) -> Remedy? {
    var list = old
    if !(list[NSStoreTypeKey] is String) { list[NSStoreTypeKey] = NSSQLiteStoreType }
    if let hashes {
      list[NSStoreModelVersionHashesKey] = hashes
      list[NSStoreModelVersionHashesVersionKey] = StoreMetadata.hashesVersion
    }
    // A list that was read from a property list can be written as one.
    guard let bytes = try? StoreMetadata.binary(of: list) else { return nil }
    return Remedy(
      "writes what the model gives in its place, and keeps the rest",
      .bookkeeping,
      ["UPDATE Z_METADATA SET Z_PLIST = \(SQLValue.blob([UInt8](bytes)))"]
    )
  }
}
