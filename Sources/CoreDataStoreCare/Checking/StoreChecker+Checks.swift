import CoreData
import CoreDataModel
import CoreDataSQLite

/// The checks, in their order.
extension StoreChecker {
  private static let wholeStore: [any StoreCheck] = [
    EntityNumberCheck(), BoundsCheck(), LastKeyCheck(), SchemaCheck(), IndexCheck(), TriggerCheck(),
    StrangeCodeCheck(),
    UniquenessCheck(), OrderCheck(), PairCheck(), DerivedValueCheck(), ExternalDataCheck(),
    HistoryCheck(),
  ]

  private static let rows: [any RowCheck] = [
    RowEntityCheck(), KeyCheck(), InverseCheck(), OrderPlaceCheck(), RequiredValueCheck(),
    ValueTypeCheck(), ValueRangeCheck(), TextCheck(), ArchiveCheck(), ExternalPrefixCheck(),
  ]

  /// The checks that rely on nothing but the entities and their numbers, which a derived model has rightly.
  private static let wholeStoreByTables: [any StoreCheck] = [
    EntityNumberCheck(), BoundsCheck(), LastKeyCheck(), StrangeCodeCheck(), HistoryCheck(),
  ]

  private static let rowsByTables: [any RowCheck] = [RowEntityCheck(), TextCheck()]

  /// The problems of the open database, as the connection sees it.
  func report(on connection: Connection) throws(SQLiteError) -> CheckReport {
    tell(0, of: 1, "the file")
    var findings = try DatabaseCheck(isFull: isDeep).findings(on: connection)
    guard let metadata = try metadata(on: connection, &findings) else {
      return CheckReport(findings, hasCheckedRows: false)
    }
    findings += MetadataCheck(metadata: metadata, schema: schema).findings
    findings += try withoutModel(on: connection)
    var difference: String?
    guard let schema = modelToCheck(by: metadata, &findings, &difference) else {
      return CheckReport(findings, hasCheckedRows: false, modelDifference: difference)
    }
    let layout = NSManagedObjectModel(schema: schema).layout
    let store = try attempt(.table, .file, &findings) { () throws(SQLiteError) in
      try CheckedStore(connection, at: url, model: layout, metadata: metadata, isDeep: isDeep)
    }
    if let store { try check(store, &findings) }
    let isPartial = guessedEntities?.isEmpty == false
    return CheckReport(
      findings,
      hasCheckedRows: store != nil && !isPartial,
      isPartial: isPartial && store != nil
    )
  }

  /// The remark on a model that was derived from the tables.
  private func derivation(of schema: ModelSchema) -> Finding? {
    guard let guessedEntities else { return nil }
    let all = schema.entities.count
    let sentence =
      if guessedEntities.isEmpty {
        "the file has no model; the one that was derived from its tables has the version hashes of the store"
      } else {
        """
        the file has no model; the version hashes of the store confirm \(all - guessedEntities.count) of \(all) entities of \
        the one that was derived from its tables. Values and relationships of the others were not checked
        """
      }
    var finding = Finding(.note, .model, .file, sentence)
    if !guessedEntities.isEmpty { finding.advice = "give the application's model with --model" }
    return finding
  }

  /// The checks that need no model; with a model, the checks of the whole store say more.
  private func withoutModel(on connection: Connection) throws(SQLiteError) -> [Finding] {
    if schema != nil { return [] }
    var findings: [Finding] = []
    let tables = try attempt(.table, .file, &findings) { () throws(SQLiteError) in
      try StoreTables.names(on: connection)
    }
    if let tables, !tables.contains("Z_PRIMARYKEY") {
      findings.append(EntityNumberCheck.missingTable(isModelKnown: false))
    }
    return findings
  }

  private func check(_ store: CheckedStore, _ findings: inout [Finding]) throws(SQLiteError) {
    let isGuessed = guessedEntities?.isEmpty == false
    let wholeStore = isGuessed ? Self.wholeStoreByTables : Self.wholeStore
    let total = wholeStore.count + store.checkedTables.count
    for (step, check) in wholeStore.enumerated() {
      tell(step, of: total, check.name.rawValue)
      let found = try attempt(check.name, .file, &findings) { () throws(SQLiteError) in
        try check.findings(in: store)
      }
      findings += found ?? []
    }
    for (step, table) in store.checkedTables.enumerated() {
      tell(wholeStore.count + step, of: total, table.name)
      let faults = rowChecks(of: table, in: store).flatMap { $0.faults(in: table, of: store) }
      let scan = TableScan(faults, of: table.name, in: store)
      let found = try attempt(.table, .table(table.name), &findings) { () throws(SQLiteError) in
        try scan.findings { condition throws(SQLiteError) in
          try store.rows(of: table.name, where: condition)
        }
      }
      findings += found ?? []
    }
    tell(total, of: total, "")
  }

  private func rowChecks(of table: CheckedTable, in store: CheckedStore) -> [any RowCheck] {
    guard let guessedEntities else { return Self.rows }
    let names = table.root.numbers.compactMap { store.tables[number: $0]?.name }
    return guessedEntities.isDisjoint(with: names) ? Self.rows : Self.rowsByTables
  }

  private func tell(_ done: Int, of total: Int, _ subject: String) {
    progress?(CheckProgress(done: done, total: total, subject: subject))
  }

  /// Makes one check; that it could not be finished is a finding like others.
  private func attempt<Result>(
    _ check: CheckName,
    _ place: Finding.Place,
    _ findings: inout [Finding],
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    do {
      return try body()
    } catch {
      // Errors of the file, and columns that are not as they should be; not a full disk or a lock.
      guard error.isDamage || error.isTooLarge || error.primaryCode == 1 else { throw error }
      findings.append(Finding(unreadable: place, check, error))
      return nil
    }
  }
}

// MARK: - The model

extension StoreChecker {
  private func metadata(
    on connection: Connection,
    _ findings: inout [Finding]
  ) throws(SQLiteError) -> CheckedMetadata? {
    try attempt(.metadata, .file, &findings) { () throws(SQLiteError) in
      try CheckedMetadata(connection)
    }
  }

  /// The model to compare rows with; `nil`, with a finding, if none fits.
  private func modelToCheck(
    by metadata: CheckedMetadata,
    _ findings: inout [Finding],
    _ difference: inout String?
  ) -> ModelSchema? {
    guard let schema else {
      let sentence =
        "the rows were not checked: \(lack ?? "there is no model"); give it with --model"
      findings.append(Finding(.warning, .model, .file, sentence))
      return nil
    }
    if let derivation = derivation(of: schema) { findings.append(derivation) }
    if metadata.hashes.isEmpty || guessedEntities != nil { return schema }
    // A configuration may have only some of the model's entities.
    let hashes = schema.entityVersionHashes.filter { metadata.hashes[$0.key] != nil }
    guard let found = ModelDifference(storeHashes: metadata.hashes, modelHashes: hashes) else {
      return schema
    }
    if isModelGiven {
      difference = found.sentence
      // That the wrong model was given says nothing of the store.
      let reason = "the store was made with another model: \(found.sentence)"
      findings.append(
        Finding(.warning, .model, .file, "the rows were not checked: \(reason)")
      )
      return nil
    }
    let reason =
      "the model in the file is not the one of its metadata, and may be damaged: \(found.sentence)"
    var finding = Finding(.error, .model, .file, "the rows were not checked: \(reason)")
    // A repair by such a model would make tables that the program does not know.
    finding.advice = "give the application's model with --model"
    findings.append(finding)
    return nil
  }
}
