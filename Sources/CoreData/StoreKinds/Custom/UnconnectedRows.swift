/// The rows of a store that no coordinator has connected.
///
/// A custom store gets its rows when a coordinator adds it; a store that was made by hand does not have any, and
/// asking for them is a mistake.
final class UnconnectedRows: RowStore {
  func rows(for plan: FetchPlan) throws -> [Row] { refuse() }

  func count(for plan: FetchPlan) throws -> Int { refuse() }

  func records(for plan: RecordPlan) throws -> [Record] { refuse() }

  func row(_ primaryKey: Int64, for plan: RowPlan) throws -> Row? { refuse() }

  func members(of owner: Int64, for plan: MemberPlan) throws -> [Row] { refuse() }

  func beginSave() throws -> any SaveTransaction { refuse() }

  private func refuse() -> Never {
    stop(
      """
      a persistent store is asked for objects that no coordinator has added; register its class with \
      NSPersistentStoreCoordinator.registerStoreClass(_:type:) and add it with addPersistentStore
      """
    )
  }
}
