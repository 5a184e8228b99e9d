public import Foundation

/// Keeps the results of a request in sections, follows the changes of a context, and tells a delegate
/// what they did to the results.
///
/// ```swift
/// let request = Note.fetchRequest()
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// let controller = NSFetchedResultsController(
///   fetchRequest: request, managedObjectContext: context,
///   sectionNameKeyPath: nil, cacheName: nil)
/// controller.delegate = self
/// try controller.performFetch()
/// ```
///
/// Without a delegate that tracks changes the results stand still until the next `performFetch()`.
/// A controller belongs to its context's queue.
///
/// An event that touches k of n objects costs about k log n comparisons and no statement. Unsaved
/// changes are seen, whatever the request's `includesPendingChanges` says. With a limit or an offset
/// an event that concerns the request fetches anew, so that the results are always what
/// `performFetch()` would give. What an object's order or section takes from another object, as
/// `folder.name` does, is judged when the object itself changes, as with Apple's.
///
/// The controller that a delegate's methods are given is another face of the one that has the
/// delegate: equal to it, also by `===`, and with the same results.
open class NSFetchedResultsController<ResultType>: AnyFetchedResultsController, ControllerFace {
  private let ownRequest: NSFetchRequest<ResultType>
  public let managedObjectContext: NSManagedObjectContext
  /// The key path whose value's description is the name of an object's section.
  public let sectionNameKeyPath: String?
  /// The name under which sections are remembered from one run of the program to the next.
  ///
  /// The memory is proved before it is used: with it `performFetch()` reads the section key path of
  /// two objects in each section, without it of all.
  public let cacheName: String?
  private var ownFace: NSFetchedResultsController<any NSFetchRequestResult>?
  private var typed = TypedObjects<ResultType>()
  private var infos: (revision: Int, sections: [FetchedSection])?

  /// Makes a controller; the first sort descriptor has to order by the section key path.
  ///
  /// An empty array of sort descriptors leaves the order to the store, and what arrives later comes last.
  /// Stops the program for a request whose sort descriptors are nil.
  public init(
    fetchRequest: NSFetchRequest<ResultType>,
    managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?,
    cacheName name: String?
  ) {
    Self.requireOrder(fetchRequest)
    ownRequest = fetchRequest
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    cacheName = name
    super.init(ControllerDesk(LiveResults(context)))
    desk.owner = self
  }

  /// Makes the face that a delegate sees.
  private init<Other>(of controller: NSFetchedResultsController<Other>) {
    ownRequest = controller.request(as: ResultType.self)
    managedObjectContext = controller.managedObjectContext
    sectionNameKeyPath = controller.sectionNameKeyPath
    cacheName = controller.cacheName
    super.init(controller.desk)
  }

  /// The entry in the section index for a section: what the delegate says, or the capitalised first
  /// letter of the name; nil for a section without a name.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    guard let owner = desk.owner, owner !== self else {
      return desk.indexTitle(for: sectionName)
    }
    return owner.sectionIndexTitle(forSectionName: sectionName)
  }

  /// The entries of the section index, each once.
  open var sectionIndexTitles: [String] {
    if let owner = desk.owner, owner !== self { return owner.sectionIndexTitles }
    var titles: [String] = []
    for title in sectionInfos.compactMap(\.indexTitle) where title != titles.last {
      titles.append(title)
    }
    return titles
  }

  /// The first section with that entry in the section index; `NSNotFound` when there is none.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    if let owner = desk.owner, owner !== self {
      return owner.section(forSectionIndexTitle: title, at: sectionIndex)
    }
    return sectionInfos.firstIndex { $0.indexTitle == title } ?? NSNotFound
  }
}

// MARK: - Fetching

extension NSFetchedResultsController {
  /// What is fetched.
  ///
  /// It may be changed; the results follow with the next `performFetch()`. In a delegate's method,
  /// change the request of the controller itself.
  public var fetchRequest: NSFetchRequest<ResultType> {
    guard let owner = desk.owner, owner !== self else { return ownRequest }
    return owner.request(as: ResultType.self)
  }

  /// Fetches the objects and puts them into sections; the delegate hears nothing of it, unless it
  /// takes snapshots.
  ///
  /// One statement; two more where objects are read in batches and have sections by a stored text that
  /// orders them: the store counts these. Throws what the fetch throws, 134060 when a section would begin twice because the
  /// order is not by section, 134091 when the request asks for something else than objects.
  public func performFetch() throws {
    if let owner = desk.owner, owner !== self { return try owner.performFetch() }
    Self.requireOrder(ownRequest)
    let layout = managedObjectContext.layout(for: ownRequest)
    guard ownRequest.resultType == .managedObjectResultType else {
      throw ResultsFailure.notObjects(entity: layout.name).error
    }
    let found = try managedObjectContext.fetch(ownRequest)
    let rule = ResultsRule(
      ownRequest.retyped(NSManagedObject.self),
      of: layout,
      sectionNameKeyPath.map(ResultsRule.Sectioning.keyPath) ?? .none
    )
    desk.live.adopt(try arrangement(of: found, by: rule), by: rule)
    desk.deliverSnapshot(after: nil)
  }

  private func arrangement(of found: [ResultType], by rule: ResultsRule) throws -> Arrangement {
    let objects = found as? [NSManagedObject] ?? found.compactMap { $0 as? NSManagedObject }
    guard let cacheName, rule.hasSections, !managedObjectContext.hasChanges else {
      return try counted(objects, by: rule)
    }
    let cache = SectionCache(named: cacheName)
    let fingerprint = SectionCache.fingerprint(of: rule, in: managedObjectContext)
    let known = cache.sections(for: fingerprint)
    let arrangement =
      try known.map { try Arrangement(objects, by: rule, known: $0) }
      ?? counted(objects, by: rule)
    if known != arrangement.known { cache.keep(arrangement.known, for: fingerprint) }
    return arrangement
  }

  /// Has the store count the sections where it can.
  private func counted(_ objects: [NSManagedObject], by rule: ResultsRule) throws -> Arrangement {
    guard rule.hasSections, let sections = CountedSections(rule, in: managedObjectContext) else {
      return try Arrangement(objects, by: rule)
    }
    let known = try sections.counted()
    try sections.readEnds(of: known, among: objects)
    return try Arrangement(objects, by: rule, known: known)
  }

  private static func requireOrder(_ request: NSFetchRequest<ResultType>) {
    require(
      request.sortDescriptors != nil,
      """
      a fetched results controller needs an order, and the request for \
      \(request.entityName ?? "\(ResultType.self)") has no sort descriptors; set an empty array where \
      any order will do
      """
    )
  }

  /// Deletes what is remembered of sections under a name; nil deletes all.
  public class func deleteCache(withName name: String?) {
    if let name { SectionCache(named: name).delete() } else { SectionCache.deleteAll() }
  }
}

// MARK: - Results

extension NSFetchedResultsController {
  /// The objects in order; nil before `performFetch()`.
  public var fetchedObjects: [ResultType]? {
    desk.live.arrangement.map { typed.objects(of: $0, desk.live.revision) }
  }

  /// The sections in order; nil before `performFetch()`.
  ///
  /// Without a section key path there is one, which has all objects and no name.
  public var sections: [any NSFetchedResultsSectionInfo]? {
    desk.live.arrangement == nil ? nil : sectionInfos
  }

  private var sectionInfos: [FetchedSection] {
    if let infos, infos.revision == desk.live.revision { return infos.sections }
    let sections = (desk.live.arrangement?.sections ?? []).map(desk.section)
    infos = (desk.live.revision, sections)
    return sections
  }

  /// The object at a place.
  ///
  /// Stops the program for a place that the results do not have.
  public func object(at indexPath: IndexPath) -> ResultType {
    let sections = desk.live.arrangement?.sections ?? []
    guard indexPath.count == 2, sections.indices.contains(indexPath.section),
      sections[indexPath.section].objects.indices.contains(indexPath.row)
    else {
      stop(
        """
        there is no object at \(indexPath); the results have \(sections.count) sections with \
        \(sections.map { "\($0.objects.count)" }.joined(separator: ", ")) objects
        """
      )
    }
    let object = sections[indexPath.section].objects[indexPath.row]
    guard let typed = object as? ResultType else {
      stop("the object at \(indexPath) is a \(type(of: object)), not a \(ResultType.self)")
    }
    return typed
  }

  /// The place of an object; nil when it is not among the results.
  ///
  /// Compares identities until it is found.
  public func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let object = object as? NSManagedObject else { return nil }
    return desk.live.arrangement?.place(of: object)?.indexPath
  }
}

// MARK: - Faces

extension NSFetchedResultsController {
  var face: NSFetchedResultsController<any NSFetchRequestResult> {
    if let same = self as? NSFetchedResultsController<any NSFetchRequestResult> { return same }
    if let ownFace { return ownFace }
    let face = NSFetchedResultsController<any NSFetchRequestResult>(of: self)
    ownFace = face
    return face
  }

  func request<Other>(as type: Other.Type) -> NSFetchRequest<Other> {
    (ownRequest as? NSFetchRequest<Other>) ?? ownRequest.retyped(Other.self)
  }
}
