public import Foundation

/// A controller that keeps the results of a fetch request in sections and notifies a delegate of
/// changes.
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
/// Without a delegate that implements one of the methods for changes, the results do not change
/// until the next ``performFetch()``. Use a controller on its context's queue.
///
/// An event that changes k of n objects costs about k log n comparisons and no SQL statement. With a
/// predicate such as `folder == %@`, alone or with others under `AND`, an event in which no object
/// has that folder or belongs to the results costs next to nothing. If the request has a limit or an
/// offset, an event that concerns its entity runs the request again; if that fails, the results stay as
/// they are until the next event. If the request's
/// `includesPendingChanges` is `false`, ``performFetch()`` gives what the stores have; an event then brings
/// the unsaved changes of the objects that it concerns. If the order or section of
/// an object depends on another object, as with `folder.name`, it is updated when the object itself
/// changes, as with Apple's framework.
///
/// The delegate is not notified of ``NSManagedObjectContext/reset()``. Call ``performFetch()`` afterwards: the
/// objects that the controller still has do not belong to the context anymore.
///
/// The controller that the delegate's methods receive is another instance that represents this one:
/// it is equal to it, also with `===`, and has the same results.
nonisolated open class NSFetchedResultsController<ResultType>:
  AnyFetchedResultsController, ControllerFace
{
  private let ownRequest: NSFetchRequest<ResultType>
  /// The context in which objects are fetched, and whose changes the controller follows.
  public let managedObjectContext: NSManagedObjectContext
  /// The key path whose value is the name of an object's section, or `nil` for results without
  /// sections.
  public let sectionNameKeyPath: String?
  /// The name under which the sections are cached from one run of the program to the next, or `nil`
  /// for no cache.
  ///
  /// The cache is verified before it is used: ``performFetch()`` then reads the section key path of
  /// two objects in each section instead of all. Only the sections of stores in files are cached, and
  /// not those of child contexts and of contexts that are pinned to a query generation.
  public let cacheName: String?
  private var ownFace: NSFetchedResultsController<any NSFetchRequestResult>?
  private var typed = TypedObjects<ResultType>()
  private var infos: (revision: Int, sections: [FetchedSection])?

  /// Creates a controller, which is empty before ``performFetch()``.
  ///
  /// The request must have sort descriptors; the program stops if they are `nil`. If the array is empty, the store decides
  /// the order, and objects that are added later come last.
  ///
  /// The controller keeps the context alive. Creating it runs no SQL statement.
  ///
  /// - Parameters:
  ///   - fetchRequest: The request. With sections, its order must keep the objects of each section together.
  ///   - context: The context in which objects are fetched.
  ///   - sectionNameKeyPath: The key path whose value is the name of an object's section, or `nil` for results without
  ///     sections.
  ///   - name: The name under which the sections are cached from one run of the program to the next, or `nil` for no
  ///     cache.
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

  /// Fetches the objects and arranges them in sections.
  ///
  /// The delegate is not notified, unless it receives snapshots. Runs one SQL statement; two more
  /// if objects are fetched in batches and have sections by a stored text that orders them, in
  /// which case the store counts the sections.
  ///
  /// - Throws: 134060 if the order does not keep the objects of each section together; 134091 if
  ///   the request's result type is not `.managedObjectResultType`; otherwise the errors of
  ///   ``NSManagedObjectContext/fetch(_:)``.
  open func performFetch() throws {
    if let owner = desk.owner, owner !== self { return try owner.performFetch() }
    try fetchAndArrange()
  }

  /// The objects in order, or `nil` before the first ``performFetch()``.
  open var fetchedObjects: [ResultType]? {
    desk.live.arrangement.map { typed.objects(of: $0, desk.live.revision) }
  }

  /// The sections in order, or `nil` before the first ``performFetch()``.
  ///
  /// Without a section key path there is one section without a name, which contains all objects.
  open var sections: [any NSFetchedResultsSectionInfo]? {
    desk.live.arrangement == nil ? nil : sectionInfos
  }

  /// Returns the object at an index path.
  ///
  /// - Parameter indexPath: The section and the row of the object. An index path that does not
  ///   exist stops the program.
  /// - Returns: The object.
  open func object(at indexPath: IndexPath) -> ResultType { arrangedObject(at: indexPath) }

  /// Returns the index path of an object.
  ///
  /// The objects are searched one after the other.
  ///
  /// - Parameter object: The object.
  /// - Returns: The index path, or `nil` if the object is not among the results.
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let object = object as? NSManagedObject else { return nil }
    return desk.live.arrangement?.place(of: object)?.indexPath
  }

  /// Returns the section index entry for a section.
  ///
  /// - Parameter sectionName: The name of a section.
  /// - Returns: The title from the delegate, or the capitalized first letter of the name; `nil` if
  ///   the name is empty.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    guard let owner = desk.owner, owner !== self else {
      return desk.indexTitle(for: sectionName)
    }
    return owner.sectionIndexTitle(forSectionName: sectionName)
  }

  /// The entries of the section index.
  ///
  /// Neighboring sections with the same title share an entry.
  open var sectionIndexTitles: [String] {
    if let owner = desk.owner, owner !== self { return owner.sectionIndexTitles }
    return indexEntries.map(\.title)
  }

  /// Returns the index of the first section that an entry of the section index represents.
  ///
  /// - Parameters:
  ///   - title: An entry of the section index.
  ///   - sectionIndex: The index of the entry, which distinguishes it from others with the same title.
  /// - Returns: The index of the section, or `NSNotFound` if it does not exist.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    if let owner = desk.owner, owner !== self {
      return owner.section(forSectionIndexTitle: title, at: sectionIndex)
    }
    let entries = indexEntries
    if entries.indices.contains(sectionIndex), entries[sectionIndex].title == title {
      return entries[sectionIndex].section
    }
    return entries.first { $0.title == title }?.section ?? NSNotFound
  }
}

// MARK: - Fetching

extension NSFetchedResultsController {
  /// The request of the controller.
  ///
  /// You can change it; the results follow with the next ``performFetch()``. In a method of the
  /// delegate, change the request of your own controller, not that of the parameter.
  public var fetchRequest: NSFetchRequest<ResultType> {
    guard let owner = desk.owner, owner !== self else { return ownRequest }
    return owner.request(as: ResultType.self)
  }

  private func fetchAndArrange() throws {
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
    guard let cacheName, rule.hasSections, !managedObjectContext.hasChanges,
      let fingerprint = SectionCache.fingerprint(of: rule, in: managedObjectContext)
    else { return try counted(objects, by: rule) }
    let cache = SectionCache(named: cacheName)
    let known = cache.sections(for: fingerprint)
    let arrangement =
      try known.map { try Arrangement(objects, by: rule, known: $0) }
      ?? counted(objects, by: rule)
    if known != arrangement.known { cache.keep(arrangement.known, for: fingerprint) }
    return arrangement
  }

  /// Makes the store count the sections if it can.
  private func counted(_ objects: [NSManagedObject], by rule: ResultsRule) throws -> Arrangement {
    guard rule.hasSections, let sections = CountedSections(rule, in: managedObjectContext),
      let known = try sections.counted()
    else { return try Arrangement(objects, by: rule) }
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

  /// Deletes cached sections.
  ///
  /// - Parameter name: The name of the cache, or `nil` to delete all caches.
  public class func deleteCache(withName name: String?) {
    if let name { SectionCache(named: name).delete() } else { SectionCache.deleteAll() }
  }
}

// MARK: - Results

extension NSFetchedResultsController {
  /// The entries of the section index, each with the first section that it represents.
  private var indexEntries: [(title: String, section: Int)] {
    var entries: [(title: String, section: Int)] = []
    for (section, info) in sectionInfos.enumerated() {
      guard let title = info.indexTitle, title != entries.last?.title else { continue }
      entries.append((title, section))
    }
    return entries
  }

  private var sectionInfos: [FetchedSection] {
    if let infos, infos.revision == desk.live.revision { return infos.sections }
    let sections = (desk.live.arrangement?.sections ?? []).map(desk.section)
    infos = (desk.live.revision, sections)
    return sections
  }

  private func arrangedObject(at indexPath: IndexPath) -> ResultType {
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
