import Foundation

/// The state that a controller shares with the one that its delegate sees.
///
/// A delegate's methods take an `NSFetchedResultsController<any NSFetchRequestResult>`; without Objective-C a
/// controller of notes is not one. So it shows a second one, with the same desk behind it.
final class ControllerDesk {
  let live: LiveResults
  weak var owner: (any ControllerFace)?
  weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet {
      absent = []
      live.mayLoseInterest = true
    }
  }
  /// The methods that the delegate was found not to have.
  var absent: DelegateMethods = []

  init(_ live: LiveResults) {
    self.live = live
    live.isFollowed = { [weak self] in self?.isFollowed ?? false }
    live.report = { [weak self] in self?.deliver($0) ?? false }
  }

  private var isFollowed: Bool { delegate != nil && mayTrack }

  /// Whether the delegate has, or may have, a method that needs changes.
  private var mayTrack: Bool {
    var needed: DelegateMethods = [.snapshot, .willChange, .object, .didChange]
    needed.insert(live.rule?.hasSections == true ? .section : .difference)
    return !absent.isSuperset(of: needed)
  }
}

/// A controller as its desk knows it, whatever its results are in the type system.
protocol ControllerFace: AnyObject {
  var face: NSFetchedResultsController<any NSFetchRequestResult> { get }
  func performFetch() throws
  func sectionIndexTitle(forSectionName sectionName: String) -> String?
  var sectionIndexTitles: [String] { get }
  func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int
  func request<Other>(as type: Other.Type) -> NSFetchRequest<Other>
}

// MARK: - Telling the delegate

extension ControllerDesk {
  /// Calls what the delegate has of its methods; gives whether it has any.
  private func deliver(_ change: ResultsChange) -> Bool {
    guard let delegate, let face = owner?.face else { return false }
    if deliverSnapshot(after: change) { return true }
    if live.rule?.hasSections == false, !absent.contains(.difference) {
      delegate.controller(face, didChangeContentWith: change.difference)
      if !absent.contains(.difference) { return true }
    }
    if change.objects.isEmpty { return true }
    if !absent.contains(.willChange) { delegate.controllerWillChangeContent(face) }
    deliver(change.insertedSections, .insert, to: delegate, from: face)
    deliverObjects(change, to: delegate, from: face)
    deliver(change.removedSections, .delete, to: delegate, from: face)
    if !absent.contains(.didChange) { delegate.controllerDidChangeContent(face) }
    return mayTrack
  }

  /// Gives a snapshot to a delegate that takes them; false for others.
  @discardableResult
  func deliverSnapshot(after change: ResultsChange?) -> Bool {
    guard !absent.contains(.snapshot), let delegate, let face = owner?.face,
      let arrangement = live.arrangement
    else { return false }
    let snapshot = NSDiffableDataSourceSnapshotReference(arrangement, after: change)
    delegate.controller(face, didChangeContentWith: snapshot)
    return !absent.contains(.snapshot)
  }

  private func deliver(
    _ sections: [ResultsChange.SectionChange],
    _ type: NSFetchedResultsChangeType,
    to delegate: any NSFetchedResultsControllerDelegate,
    from face: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for change in sections where !absent.contains(.section) {
      var section = change.section
      // A deleted section does not have objects any more.
      if type == .delete { section.objects = [] }
      delegate.controller(
        face,
        didChange: self.section(section),
        atSectionIndex: change.index,
        for: type
      )
    }
  }

  private func deliverObjects(
    _ change: ResultsChange,
    to delegate: any NSFetchedResultsControllerDelegate,
    from face: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for change in change.objects where !absent.contains(.object) {
      delegate.controller(
        face,
        didChange: change.object,
        at: change.old?.indexPath,
        for: change.type,
        newIndexPath: change.new?.indexPath
      )
    }
  }
}

// MARK: - Sections

extension ControllerDesk {
  func section(_ section: Arrangement.Section) -> FetchedSection {
    FetchedSection(
      section,
      indexTitle: owner?.sectionIndexTitle(forSectionName: section.name)
    )
  }

  /// The delegate's title, or the capitalised first letter.
  func indexTitle(for name: String) -> String? {
    if !absent.contains(.title), let delegate, let face = owner?.face {
      let title = delegate.controller(face, sectionIndexTitleForSectionName: name)
      if !absent.contains(.title) { return title }
    }
    return name.first.map { $0.uppercased() }
  }
}

extension NSDiffableDataSourceSnapshot<String, NSManagedObjectID> {
  /// The identities of an arrangement; objects that an event updated or moved will be reloaded.
  init(_ arrangement: Arrangement, after change: ResultsChange?) {
    self.init(
      sections: arrangement.sections.map { ($0.name, $0.objects.map(\.objectID)) }
    )
    for change in change?.objects ?? [] where change.type == .update || change.type == .move {
      reloaded.append(change.object.objectID)
    }
  }
}
