import CoreData

/// The results of a fetch, which are read in batches when they are used.
///
/// The collection holds identities, and the models of the batch that was used last. It belongs to its context's thread.
public struct FetchResultsCollection<Element: PersistentModel>: RandomAccessCollection {
  private let source: Source

  /// The identities and the last batch.
  private final class Source {
    let identities: [NSManagedObjectID]
    let context: ModelContext
    let batchSize: Int
    var batch: (start: Int, models: [Element])?

    init(_ identities: [NSManagedObjectID], _ context: ModelContext, _ batchSize: Int) {
      self.identities = identities
      self.context = context
      self.batchSize = batchSize
    }

    func model(at index: Int) -> Element {
      if let batch, batch.models.indices.contains(index - batch.start) {
        return batch.models[index - batch.start]
      }
      let start = index / batchSize * batchSize
      let wanted = identities[start..<Swift.min(start + batchSize, identities.count)]
      do {
        let models = try context.models(Element.self, of: Array(wanted))
        batch = (start, models)
        return models[index - start]
      } catch {
        stop("a batch of fetched models cannot be read: \(error)")
      }
    }
  }

  init(_ identities: [NSManagedObjectID], in context: ModelContext, batchSize: Int) {
    source = Source(identities, context, Swift.max(batchSize, 1))
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { source.identities.count }

  /// The model at a place; reads its batch with one SQL statement unless it is there.
  public subscript(position: Int) -> Element { source.model(at: position) }
}
