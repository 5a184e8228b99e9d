import CoreData
import TestSupport
import Testing

/// The snapshot value, apart from any controller.
@Suite struct DiffableSnapshotTests {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  private var snapshot: Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections(["A", "B"])
    snapshot.appendItems([1, 2], toSection: "A")
    snapshot.appendItems([3, 4])
    return snapshot
  }

  private func picture(_ snapshot: Snapshot) -> String {
    snapshot.sectionIdentifiers
      .map { "\($0)\(snapshot.itemIdentifiers(inSection: $0))" }
      .joined(separator: " ")
  }

  @Test func `a snapshot knows its sections and items`() {
    let snapshot = snapshot
    #expect(picture(snapshot) == "A[1, 2] B[3, 4]")
    #expect(snapshot.numberOfSections == 2 && snapshot.numberOfItems == 4)
    #expect(snapshot.numberOfItems(inSection: "B") == 2)
    #expect(snapshot.itemIdentifiers == [1, 2, 3, 4])
    #expect(snapshot.sectionIdentifier(containingItem: 3) == "B")
    #expect(snapshot.sectionIdentifier(containingItem: 9) == nil)
    #expect(snapshot.indexOfItem(4) == 3 && snapshot.indexOfItem(9) == nil)
    #expect(snapshot.indexOfSection("B") == 1 && snapshot.indexOfSection("C") == nil)
  }

  @Test func `items are inserted, moved and deleted`() {
    var snapshot = snapshot
    snapshot.insertItems([5], beforeItem: 1)
    snapshot.insertItems([6], afterItem: 3)
    snapshot.moveItem(2, afterItem: 4)
    snapshot.moveItem(4, beforeItem: 5)
    snapshot.deleteItems([1])
    #expect(picture(snapshot) == "A[4, 5] B[3, 6, 2]")
    snapshot.deleteAllItems()
    #expect(snapshot == Snapshot())
  }

  @Test func `sections are inserted, moved and deleted`() {
    var snapshot = snapshot
    snapshot.insertSections(["C"], beforeSection: "A")
    snapshot.insertSections(["D"], afterSection: "A")
    snapshot.moveSection("B", beforeSection: "C")
    snapshot.moveSection("A", afterSection: "D")
    #expect(picture(snapshot) == "B[3, 4] C[] D[] A[1, 2]")
    snapshot.deleteSections(["B", "D"])
    #expect(picture(snapshot) == "C[] A[1, 2]")
  }

  @Test func `what shall be shown anew is marked once`() {
    var snapshot = snapshot
    snapshot.reloadItems([1, 3])
    snapshot.reloadItems([3])
    snapshot.reconfigureItems([4])
    snapshot.reloadSections(["A", "A"])
    #expect(snapshot.reloadedItemIdentifiers == [1, 3])
    #expect(snapshot.reconfiguredItemIdentifiers == [4])
    #expect(snapshot.reloadedSectionIdentifiers == ["A"])
    snapshot.deleteItems([3, 4])
    #expect(snapshot.reloadedItemIdentifiers == [1])
    #expect(snapshot.reconfiguredItemIdentifiers == [])
  }

  @Test func `items of a deleted section were still to be shown anew`() {
    var snapshot = snapshot
    snapshot.reloadItems([1, 3])
    snapshot.reconfigureItems([2, 4])
    snapshot.deleteSections(["A"])
    #expect(snapshot.reloadedItemIdentifiers == [3])
    #expect(snapshot.reconfiguredItemIdentifiers == [4])
  }

  @Test func `an item twice stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
      snapshot.appendSections(["A"])
      snapshot.appendItems([1, 1])
    }
    #expect(result.says("the snapshot has the item 1 twice"))
  }
}
