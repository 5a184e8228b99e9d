public import CoreData
import Synchronization

/// A slip box that is open: its content, and everything that can be done with it.
///
/// ```
///            reading                  writing                     an act each
///         ┌────────────┐  merges  ┌────────────────┐   in its   ┌─────────────┐
/// lists ◀─┤  context   │◀─────────┤    context     ├───queue───▶│ context with│─▶ undo
/// notes   └────────────┘          │ (one at a time)│            │ UndoManager │
///                                 └────────────────┘            └─────────────┘
///                 every save ─▶ history ─▶ Changes ─▶ listeners
/// ```
///
/// Objects stay within the blocks that are given to ``read(_:)`` and ``write(by:_:)``; the results are values.
public final class Library: Sendable {
  public let controller: PersistenceController
  /// Reports changes to its listeners.
  public let changes: Changes
  let reading: NSManagedObjectContext
  let writing: NSManagedObjectContext
  /// Reads the pictures themselves, which may be large.
  let pictures: NSManagedObjectContext
  /// Reads published notes for people without the key, whom nobody else shall wait for.
  let publishing: NSManagedObjectContext
  let published: PublishedNotes
  let acts: ActShelf
  let outlines: OutlineCache
  let thumbnails = ThumbnailShelf()
  let pageShelf = PageShelf()
  let referenceShelf = ReferenceShelf()
  /// Reads the texts of PDFs.
  let fileTexts: FileTextReader
  let revisions = RevisionShelf()
  let followings = Followings()
  let importTurns = ImportTurns()
  let arrivals: Arrivals
  let folders: FolderList
  /// The present time.
  let now: @Sendable () -> Date
  /// The readings of all clocks, since the one above cannot be trusted when it comes to deleting.
  let readClocks: (@Sendable () -> ClockReading)?

  /// Opens the slip box of a folder; both are made if they do not exist.
  ///
  /// - Parameters:
  ///   - folder: The folder of the notes.
  ///   - now: The clock; it is believed, also when the trash is purged.
  /// - Throws: A `CocoaError` if the store cannot be opened.
  public convenience init(
    folder: URL,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try self.init(PersistenceController(folder: folder), now: now)
  }

  /// Opens the slip box of a database, and purges its trash by a clock that a wrong date cannot hurry.
  ///
  /// - Parameters:
  ///   - database: The database of the notes.
  ///   - folder: The folder of this machine's files, such as the believed date.
  ///   - now: The clock for changes.
  ///   - clocks: The machine's clocks, ``ClockReading/system()``; `nil` for those that believe `now`.
  /// - Throws: A `CocoaError` if the database cannot be opened.
  public convenience init(
    _ database: DatabasePlace,
    folder: URL,
    now: @escaping @Sendable () -> Date = { Date() },
    clocks: (@Sendable () -> ClockReading)? = nil
  ) throws {
    try self.init(PersistenceController(database, folder), now: now, clocks: clocks)
  }

  /// Opens the slip box of a folder, and purges its trash by a clock that a wrong date cannot hurry.
  ///
  /// - Parameters:
  ///   - folder: The folder of the notes. The believed date is kept there too, in the file `clock`.
  ///   - now: The clock for changes.
  ///   - clocks: The machine's clocks, ``ClockReading/system()``.
  /// - Throws: A `CocoaError` if the store cannot be opened.
  public convenience init(
    folder: URL,
    now: @escaping @Sendable () -> Date = { Date() },
    clocks: @escaping @Sendable () -> ClockReading
  ) throws {
    try self.init(PersistenceController(folder: folder), now: now, clocks: clocks)
  }

  /// Returns whether a slip box could not be opened because its notes have another model than this program's.
  ///
  /// - Parameter error: The error that an initializer has thrown.
  /// - Returns: `true` for a newer model or format, `false` for any other reason.
  public static func isOfAnotherModel(_ error: any Error) -> Bool {
    [NSPersistentStoreIncompatibleVersionHashError, NSPersistentStoreInvalidTypeError]
      .contains((error as NSError).code)
  }

  init(
    _ controller: PersistenceController,
    now: @escaping @Sendable () -> Date,
    clocks: (@Sendable () -> ClockReading)? = nil
  ) throws {
    self.controller = controller
    self.now = now
    readClocks = clocks
    reading = controller.container.newBackgroundContext()
    reading.name = PersistenceController.contextName("reading")
    reading.automaticallyMergesChangesFromParent = true
    writing = controller.container.newBackgroundContext()
    writing.name = PersistenceController.contextName("writing")
    // Another program may have written since this one has looked.
    writing.stalenessInterval = 0
    pictures = controller.container.newBackgroundContext()
    pictures.name = PersistenceController.contextName("pictures")
    publishing = controller.container.newBackgroundContext()
    publishing.name = PersistenceController.contextName("publishing")
    // A note that was just edited, or put into the trash, is so for its readers.
    publishing.stalenessInterval = 0
    published = PublishedNotes(in: controller.folder)
    acts = ActShelf()
    outlines = OutlineCache(reading)
    changes = Changes(controller, merging: [reading])
    folders = try FolderList(reading)
    arrivals = Arrivals()
    fileTexts = FileTextReader(reading: reading, contents: pictures, writing: writing, outlines)
    changes.whenForeign { [outlines, writing, arrivals, fileTexts] edited in
      outlines.forget()
      fileTexts.readSoon()
      arrivals.adopt(edited, in: writing, outlines, now: now)
    }
    changes.whenMoved { [outlines, writing, reading, folders] in
      Self.settleSoon(writing, outlines)
      // The list follows objects that its context has, and folders that were deleted for good are not among them.
      writing.perform { reading.perform { try? folders.refetch() } }
    }
    try changes.start()
  }

  /// Makes agree what belongs together in notes that another program has edited.
  ///
  /// - Throws: The error of the store, if the notes cannot be read now.
  static func adopt(
    _ notes: some Sequence<NSManagedObjectID>,
    of edited: ForeignEdits,
    at now: Date,
    in context: NSManagedObjectContext
  ) throws {
    for id in notes {
      // A note that has gone since needs no revision.
      guard let note = try Note.existing(id, in: context) else { continue }
      context.refresh(note, mergeChanges: true)
      if note.hasForeignText {
        note.adoptForeignText()
        continue
      }
      if edited.reworded.contains(id) { try note.adoptForeignWords(at: now) }
      try note.adoptArrivedTexts(strangers: edited.arrived.contains(id))
      note.adoptMergedText()
    }
  }

  /// The folder of the notes' file, or of this machine's files beside a database; the usual one for temporary files if
  /// the notes are in memory.
  public var folder: URL { controller.folder ?? FileManager.default.temporaryDirectory }

  /// Ends the streams of changes, and the exchange with other devices.
  public func close() {
    fileTexts.stop()
    controller.container.stopSyncing()
    changes.stop()
  }

  /// Closes the store, with which its write-ahead log goes; to be called at the end, when nobody asks any more.
  public func closeStore() {
    let coordinator = controller.container.persistentStoreCoordinator
    // A store that cannot be closed is closed by the end of the program.
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
  }
}

// MARK: - Reading and writing

extension Library {
  /// Runs a block that only reads; one that nobody waits for any more ends.
  ///
  /// - Throws: The error of the block; `CancellationError` if the task was canceled before the block had read all.
  public func read<Result: Sendable>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = reading
    return try await context.performCancellable { try block(context) }
  }

  /// Runs a block that changes something, and saves; blocks run one after another.
  ///
  /// If another program has written the same objects in between, the block runs again with their new values. A block
  /// that throws changes nothing.
  public func write<Result: Sendable>(
    by author: String?,
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let (context, outlines) = (writing, outlines)
    return try await context.perform { @Sendable () throws -> Result in
      try Self.write(in: context, outlines, by: author, block)
    }
  }

  /// The same in the context's queue.
  static func write<Result>(
    in context: NSManagedObjectContext,
    _ outlines: OutlineCache,
    by author: String?,
    _ block: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    context.transactionAuthor = author
    for _ in 0..<attempts {
      // Acts and other devices have saved since: objects that hold each other would keep their old values here.
      context.refreshAllObjects()
      do {
        let result = try block(context)
        if context.hasChanges { try context.save() }
        outlines.forget()
        return result
      } catch let error as CocoaError where error.code == .managedObjectMerge {
        context.reset()
      } catch {
        context.rollback()
        throw error
      }
    }
    throw LibraryProblem.busy
  }

  private static let attempts = 5
}
