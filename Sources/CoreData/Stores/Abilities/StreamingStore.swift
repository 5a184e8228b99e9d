/// A store that can hand over what it reads one thing after the other, so that never all of it is in
/// memory.
protocol StreamingStore: RowStore {
  /// Hands over each record while it reads.
  func forEachRecord(of plan: RecordPlan, _ body: (Record) throws -> Void) throws
  /// Hands over the key of each member of some owners, owner by owner.
  func forEachMember(
    of owners: [Int64],
    for plan: MemberPlan,
    _ body: (_ owner: Int64, _ member: StoredKey) throws -> Void
  ) throws
}
