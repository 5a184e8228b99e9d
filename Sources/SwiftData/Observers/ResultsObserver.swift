import CoreData
import Foundation
public import Observation

/// The models that a descriptor describes, kept up to date.
///
/// ```swift
/// let open = try ResultsObserver(
///   FetchDescriptor<Note>(predicate: #Predicate { !$0.isDone }, sortBy: [SortDescriptor(\.title)]),
///   in: container.mainContext
/// )
/// for await titles in Observations({ open.results.map(\.title) }) { … }
/// ```
///
/// The results follow the changes of the context at the end of each event, and what other contexts and programs have saved
/// as soon as the context takes it. Reading ``results`` or ``sections`` in `withObservationTracking` is noticed. Use the
/// observer where its context is used.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable {
  /// The context whose models are observed.
  public let modelContext: ModelContext
  private let sectionTitle: ((Element) -> SectionTitle)?
  private let registrar = ObservationRegistrar()
  private var descriptor: FetchDescriptor<Element>
  private var controller: NSFetchedResultsController<ModelRow>?
  private var listener: ResultsListener?
  private var models: [Element] = []

  /// Neighbouring results with one title.
  public struct Section {
    /// The title.
    public let title: SectionTitle
    /// The models, in the order of the results.
    public let models: [Element]
  }

  /// Creates an observer whose results are in sections.
  ///
  /// - Parameters:
  ///   - descriptor: The models and their order, of which the title of the section should be the first part.
  ///   - sectionBy: The property that is the title of a section.
  ///   - modelContext: The context.
  /// - Throws: The errors of ``ModelContext/fetch(_:)``.
  public init(
    _ descriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, SectionTitle>,
    in modelContext: ModelContext
  ) throws {
    self.modelContext = modelContext
    self.descriptor = descriptor
    sectionTitle = { $0[keyPath: sectionBy] }
    try begin()
  }

  /// Creates an observer.
  ///
  /// - Parameters:
  ///   - descriptor: The models and their order.
  ///   - modelContext: The context.
  /// - Throws: The errors of ``ModelContext/fetch(_:)``.
  public init(
    _ descriptor: FetchDescriptor<Element> = FetchDescriptor(),
    in modelContext: ModelContext
  ) throws where SectionTitle == Never {
    self.modelContext = modelContext
    self.descriptor = descriptor
    sectionTitle = nil
    try begin()
  }
}

// MARK: - Results

extension ResultsObserver {
  /// The models, in the order of the descriptor.
  public var results: [Element] {
    registrar.access(self, keyPath: \.results)
    return models
  }

  /// The models in sections; without sections if the observer was created without them.
  public var sections: [Section] {
    registrar.access(self, keyPath: \.results)
    guard let sectionTitle else { return [] }
    var sections: [Section] = []
    var members: [Element] = []
    var title: SectionTitle?
    for model in models {
      let next = sectionTitle(model)
      if let current = title, current != next {
        sections.append(Section(title: current, models: members))
        members = []
      }
      title = next
      members.append(model)
    }
    if let title { sections.append(Section(title: title, models: members)) }
    return sections
  }

  /// The models and their order.
  public var fetchDescriptor: FetchDescriptor<Element> { descriptor }

  /// Observes other models from now on.
  ///
  /// - Parameter descriptor: The models and their order.
  /// - Throws: The errors of ``ModelContext/fetch(_:)``; the observer then stays as it was.
  public func fetch(_ descriptor: FetchDescriptor<Element>) throws {
    let former = self.descriptor
    self.descriptor = descriptor
    do {
      try begin()
    } catch {
      self.descriptor = former
      throw error
    }
  }

  /// Observes the models that meet another condition from now on.
  ///
  /// - Parameter predicate: The condition; all models if `nil`.
  /// - Throws: The errors of ``ModelContext/fetch(_:)``.
  public func filter(by predicate: Predicate<Element>?) throws {
    var descriptor = descriptor
    descriptor.predicate = predicate
    try fetch(descriptor)
  }

  /// Puts the results into another order.
  ///
  /// - Parameter descriptors: The order.
  /// - Throws: The errors of ``ModelContext/fetch(_:)``.
  public func sort(by descriptors: [SortDescriptor<Element>]) throws {
    var descriptor = descriptor
    descriptor.sortBy = descriptors
    try fetch(descriptor)
  }
}

// MARK: - Following

extension ResultsObserver {
  private func begin() throws {
    modelContext.takeMail()
    let request = try descriptor.request(in: modelContext)
    if request.sortDescriptors?.isEmpty ?? true {
      request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
    }
    let new = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: modelContext.objects,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let listener = ResultsListener { [weak self] in self?.takeResults() }
    new.delegate = listener
    try new.performFetch()
    controller = new
    self.listener = listener
    takeResults()
  }

  private func takeResults() {
    registrar.withMutation(of: self, keyPath: \.results) {
      models = (controller?.fetchedObjects ?? []).map { $0.model(as: Element.self) }
    }
  }
}

/// Hears of changed results.
final class ResultsListener: NSObject, NSFetchedResultsControllerDelegate {
  private let heard: () -> Void

  init(_ heard: @escaping () -> Void) { self.heard = heard }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    heard()
  }
}
