public import Foundation

/// A record of changes that can be taken back, and made again.
///
/// ```swift
/// let undoManager = UndoManager()
/// context.undoManager = undoManager
/// note.title = "Second thoughts"
/// undoManager.undo()                       // the title is what it was
/// undoManager.redo()                       // and again what it became
/// ```
///
/// Actions stand in groups, and one `undo` takes back a whole group. By default each event makes one:
/// the first registration opens it, and it is closed when a block of ``NSManagedObjectContext/perform(_:)``
/// ends, on the main thread when its queue has done its present work, and at the latest by `undo`.
///
/// What an action registers while it is undone becomes what redo does, and the other way round. A
/// registration at any other time forgets what could be redone.
///
/// An undo manager belongs to one thread or queue, that of its context. It is part of this module
/// because Foundation on Linux has none; names and rules are Apple's.
open class UndoManager: NSObject {
  private var undoStack = UndoStack()
  private var redoStack = UndoStack()
  /// The groups that are being filled, the outermost first.
  private var openGroups: [UndoGroup] = []
  /// Whether the outermost open group was opened by a registration and not by hand.
  private var isEventGroupOpen = false
  private var disabledCount = 0

  /// Whether an undo is being performed.
  open private(set) var isUndoing = false

  /// Whether a redo is being performed.
  open private(set) var isRedoing = false

  /// Whether the changes of one event are one group; true at first.
  ///
  /// Otherwise each registration must stand between ``beginUndoGrouping()`` and ``endUndoGrouping()``.
  open var groupsByEvent = true

  /// How many groups can be undone at most; 0, as at first, for any number.
  open var levelsOfUndo = 0 {
    didSet { trim() }
  }

  public override init() {
    super.init()
  }
}

// MARK: - Registering

extension UndoManager {
  /// Notes how something that has just been done is taken back.
  ///
  /// The handler runs with the target when its group is undone, unless the target is gone by then: it
  /// is not kept alive. Does nothing while registration is disabled. Stops the program when there is no
  /// group to stand in.
  public func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType,
    handler: @escaping (TargetType) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    if openGroups.isEmpty { openEventGroup() }
    openGroups[openGroups.count - 1].entries.append(
      .action(UndoAction(target, handler))
    )
    if !isUndoing, !isRedoing { redoStack.removeAll() }
  }

  /// Whether registrations are taken.
  public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

  /// Ignores registrations until ``enableUndoRegistration()`` was called as often.
  ///
  /// A context's changes are registered at the end of an event: call `processPendingChanges()` on it
  /// before this and before enabling again.
  public func disableUndoRegistration() {
    disabledCount += 1
  }

  /// Takes back one ``disableUndoRegistration()``; one too many stops the program.
  public func enableUndoRegistration() {
    require(disabledCount > 0, "enableUndoRegistration was called more often than disable…")
    disabledCount -= 1
  }

  /// Forgets everything that could be undone or redone, and enables registration.
  public func removeAllActions() {
    undoStack.removeAll()
    redoStack.removeAll()
    openGroups.removeAll()
    isEventGroupOpen = false
    disabledCount = 0
  }

  /// Forgets the actions that were registered with a target.
  public func removeAllActions(withTarget target: Any) {
    let target = ObjectIdentifier(target as AnyObject)
    undoStack.removeActions(of: target)
    redoStack.removeActions(of: target)
    for index in openGroups.indices { openGroups[index].removeActions(of: target) }
  }
}

// MARK: - Grouping

extension UndoManager {
  /// How many groups are open, one within the other.
  public var groupingLevel: Int { openGroups.count }

  /// Opens a group; within another one, a nested one.
  public func beginUndoGrouping() {
    // By hand within an event: the event's group holds what is done by hand.
    if openGroups.isEmpty, groupsByEvent, !isUndoing, !isRedoing { openEventGroup() }
    open()
  }

  /// Closes the innermost group; without one, stops the program.
  ///
  /// A group in which nothing was registered is forgotten.
  public func endUndoGrouping() {
    require(!openGroups.isEmpty, "endUndoGrouping was called without a group that is open")
    close()
  }

  /// Ends the group that an event's first registration has opened.
  func endEvent() {
    guard isEventGroupOpen, openGroups.count == 1, !isUndoing, !isRedoing else { return }
    close()
  }

  private func openEventGroup() {
    require(
      groupsByEvent,
      "an undo manager that does not group by event needs beginUndoGrouping() before a registration"
    )
    open()
    isEventGroupOpen = true
    guard Thread.isMainThread else { return }
    ContextQueue(.mainQueueConcurrencyType).async { [weak self] in self?.endEvent() }
  }

  private func open() {
    post(.NSUndoManagerCheckpoint)
    openGroups.append(UndoGroup())
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  private func close() {
    post(.NSUndoManagerCheckpoint)
    let isDiscardable = openGroups.last?.isDiscardable ?? false
    let userInfo = [NSUndoManagerGroupIsDiscardableKey: isDiscardable]
    post(.NSUndoManagerWillCloseUndoGroup, userInfo)
    if openGroups.count == 1 { isEventGroupOpen = false }
    if let group = openGroups.popLast(), !group.entries.isEmpty { keep(group) }
    post(.NSUndoManagerDidCloseUndoGroup, userInfo)
  }

  private func keep(_ group: UndoGroup) {
    if !openGroups.isEmpty {
      openGroups[openGroups.count - 1].add(group)
    } else if isUndoing {
      redoStack.push(group)
    } else {
      undoStack.push(group)
    }
    trim()
  }

  private func trim() {
    guard levelsOfUndo > 0 else { return }
    undoStack.trim(to: levelsOfUndo)
    redoStack.trim(to: levelsOfUndo)
  }
}

// MARK: - Undo and redo

extension UndoManager {
  /// Whether there is something to undo.
  public var canUndo: Bool {
    !undoStack.isEmpty || openGroups.contains { !$0.entries.isEmpty }
  }

  /// Whether there is something to redo.
  public var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !redoStack.isEmpty
  }

  /// Closes the open group, if there is one, and undoes the last.
  ///
  /// Stops the program while a nested group is open: what should be undone then is unclear.
  public func undo() {
    post(.NSUndoManagerCheckpoint)
    require(groupingLevel < 2, "undo was called while a nested undo group is open; close it first")
    if groupingLevel == 1 { close() }
    undoNestedGroup()
  }

  /// Undoes the last closed group, also one within a group that is still open.
  public func undoNestedGroup() {
    post(.NSUndoManagerCheckpoint)
    guard let group = takeLastGroup() else { return }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    perform(group) { group in redoStack.push(group) }
    isUndoing = false
    post(.NSUndoManagerDidUndoChange)
  }

  /// Makes again what was undone last.
  ///
  /// Stops the program while a group is open.
  public func redo() {
    post(.NSUndoManagerCheckpoint)
    endEvent()
    require(openGroups.isEmpty, "redo was called while an undo group is open; close it first")
    guard let group = redoStack.pop() else { return }
    post(.NSUndoManagerWillRedoChange)
    isRedoing = true
    perform(group) { group in undoStack.push(group) }
    isRedoing = false
    post(.NSUndoManagerDidRedoChange)
  }

  private func takeLastGroup() -> UndoGroup? {
    openGroups.isEmpty ? undoStack.pop() : openGroups[openGroups.count - 1].takeLastGroup()
  }

  /// Runs a group's actions, the last first, and keeps what they register under the same name.
  private func perform(_ group: UndoGroup, keep: (UndoGroup) -> Void) {
    let outer = openGroups
    openGroups = []
    open()
    group.perform()
    post(.NSUndoManagerCheckpoint)
    // An action may have opened groups by hand and left them so; they are part of what it did.
    while openGroups.count > 1 { close() }
    if var counterpart = openGroups.popLast(), !counterpart.entries.isEmpty {
      counterpart.name = group.name
      counterpart.isDiscardable = group.isDiscardable
      keep(counterpart)
      trim()
    }
    openGroups = outer
  }
}

// MARK: - Names

extension UndoManager {
  /// The name of what ``undo()`` would take back; empty when it has none.
  public var undoActionName: String { undoStack.last?.name ?? "" }

  /// The name of what ``redo()`` would make again; empty when it has none.
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// Names what is being done, for menus: "Typing".
  ///
  /// It is the name of the outermost open group, or of the last one when none is open.
  public func setActionName(_ actionName: String) {
    change { $0.name = actionName }
  }

  /// The title for a menu: "Undo Typing".
  public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// The title for a menu: "Redo Typing".
  public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  public func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  public func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Says that what is being done is not worth a warning when it is lost, such as a scroll.
  public func setActionIsDiscardable(_ discardable: Bool) {
    change { $0.isDiscardable = discardable }
  }

  public var undoActionIsDiscardable: Bool { undoStack.last?.isDiscardable ?? false }

  public var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  private func change(_ body: (inout UndoGroup) -> Void) {
    if openGroups.isEmpty { undoStack.changeLast(body) } else { body(&openGroups[0]) }
  }
}

// MARK: - Notifications

extension UndoManager {
  private func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}
