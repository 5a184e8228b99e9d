/// The answers of the stores, each by itself.
enum FoundRows: Sendable {
  case rows([PassedRows])
  case records([(store: NSPersistentStore, records: [Record])])
  case count(Int)
}
