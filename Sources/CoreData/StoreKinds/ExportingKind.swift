/// A kind of store whose files can be written from objects that come one after the other, without a store
/// that is open.
protocol ExportingKind: KindOfStore {
  /// Writes a new file with all objects.
  func write(_ export: StoreExport, to file: WholeFile) throws
}
