public import Foundation

/// A recorder of changes that can be undone and redone.
///
/// ```swift
/// let undoManager = UndoManager()
/// context.undoManager = undoManager
/// note.title = "Second thoughts"
/// undoManager.undo()   // restores the previous title
/// undoManager.redo()   // sets the new title again
/// ```
///
/// Actions are recorded in groups, and ``undo()`` undoes a whole group. By default, the actions of
/// one event form a group. The first registration opens it. It is closed at the end of a block of
/// ``NSManagedObjectContext/perform(_:)``, on the main thread when its queue has finished its
/// current work, and otherwise by ``undo()``.
///
/// Actions that are registered while another action is undone are recorded for ``redo()``, and vice
/// versa. An action that is registered at any other time removes everything that could be redone.
///
/// Use an undo manager on one thread or queue, which is that of its context. This class is part of
/// the module because Foundation on Linux does not have it. Names and rules are those of Apple's
/// class.
nonisolated open class UndoManager: NSObject {
  private var undoStack = UndoStack()
  private var redoStack = UndoStack()
  /// The groups that are being filled, the outermost first.
  private var openGroups: [UndoGroup] = []
  /// Whether the outermost open group was opened by a registration and not by hand.
  private var isEventGroupOpen = false
  private var disabledCount = 0

  /// A Boolean value that indicates whether an undo is being performed.
  open private(set) var isUndoing = false

  /// A Boolean value that indicates whether a redo is being performed.
  open private(set) var isRedoing = false

  /// A Boolean value that indicates whether the actions of one event form a group.
  ///
  /// The default is `true`.
  ///
  /// If `false`, each registration must be between ``beginUndoGrouping()`` and
  /// ``endUndoGrouping()``.
  open var groupsByEvent = true

  /// The maximum number of groups that can be undone, or 0, the default, for no limit.
  open var levelsOfUndo = 0 {
    didSet { trim() }
  }

  public override init() {
    super.init()
  }
}

// MARK: - Registering

extension UndoManager {
  /// Registers an action that undoes a change which was just made.
  ///
  /// When the group is undone, the handler is called with the target, unless the target has been
  /// deallocated; it is not retained. Nothing happens while registration is disabled. The program stops if no group
  /// is open and ``groupsByEvent`` is `false`.
  ///
  /// - Parameters:
  ///   - target: The object to which the action applies.
  ///   - handler: A closure that undoes the change.
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

  /// A Boolean value that indicates whether actions are recorded.
  public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

  /// Disables the recording of actions until ``enableUndoRegistration()`` is called as often.
  ///
  /// A context registers its changes at the end of an event. Therefore call its
  /// `processPendingChanges()` before this method and before you enable registration again.
  public func disableUndoRegistration() {
    disabledCount += 1
  }

  /// Cancels one call of ``disableUndoRegistration()``.
  ///
  /// The program stops if registration is not disabled.
  public func enableUndoRegistration() {
    require(disabledCount > 0, "enableUndoRegistration was called more often than disable…")
    disabledCount -= 1
  }

  /// Removes all recorded actions, so that nothing can be undone or redone, and enables registration.
  public func removeAllActions() {
    undoStack.removeAll()
    redoStack.removeAll()
    openGroups.removeAll()
    isEventGroupOpen = false
    disabledCount = 0
  }

  /// Removes all recorded actions that apply to a target.
  ///
  /// - Parameter target: The object to which the actions apply.
  public func removeAllActions(withTarget target: Any) {
    let target = ObjectIdentifier(target as AnyObject)
    undoStack.removeActions(of: target)
    redoStack.removeActions(of: target)
    for index in openGroups.indices { openGroups[index].removeActions(of: target) }
  }
}

// MARK: - Grouping

extension UndoManager {
  /// The number of nested groups that are open.
  public var groupingLevel: Int { openGroups.count }

  /// Opens a group, which is nested if another group is open.
  public func beginUndoGrouping() {
    // By hand within an event: the event's group holds what is done by hand.
    if openGroups.isEmpty, groupsByEvent, !isUndoing, !isRedoing { openEventGroup() }
    open()
  }

  /// Closes the innermost open group.
  ///
  /// The program stops if no group is open.
  ///
  /// A group without actions is discarded.
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
    let main = ContextQueue(.mainQueueConcurrencyType)
    guard main.isCurrent else { return }
    main.async { [weak self] in self?.endEvent() }
  }

  private func open() {
    // Before an outermost group, there is no group into which an observer could put its actions.
    if !openGroups.isEmpty { post(.NSUndoManagerCheckpoint) }
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
  /// A Boolean value that indicates whether there are actions to undo.
  public var canUndo: Bool {
    !undoStack.isEmpty || openGroups.contains { !$0.entries.isEmpty }
  }

  /// A Boolean value that indicates whether there are actions to redo.
  public var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !redoStack.isEmpty
  }

  /// Closes the open group, if there is one, and undoes the last group.
  ///
  /// The program stops if a nested group is open.
  public func undo() {
    post(.NSUndoManagerCheckpoint)
    require(groupingLevel < 2, "undo was called while a nested undo group is open; close it first")
    if groupingLevel == 1 { close() }
    undoNestedGroup()
  }

  /// Undoes the last closed group, which can be nested in an open one.
  public func undoNestedGroup() {
    post(.NSUndoManagerCheckpoint)
    guard let group = takeLastGroup() else { return }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    perform(group) { group in redoStack.push(group) }
    isUndoing = false
    post(.NSUndoManagerDidUndoChange)
  }

  /// Repeats the group that was undone last.
  ///
  /// The program stops if a group is open.
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
  /// The name of the action that ``undo()`` undoes, or an empty string.
  public var undoActionName: String { undoStack.last?.name ?? "" }

  /// The name of the action that ``redo()`` repeats, or an empty string.
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// Sets the name of the current action for menus.
  ///
  /// If actions are grouped by event and no group is open, `NSUndoManagerCheckpoint` is posted first, so that
  /// changes of a context in this event are part of the action.
  ///
  /// - Parameter actionName: A name such as "Typing". It applies to the outermost open group or, if
  ///   none is open, to the last group.
  public func setActionName(_ actionName: String) {
    if openGroups.isEmpty, groupsByEvent { post(.NSUndoManagerCheckpoint) }
    change { $0.name = actionName }
  }

  /// The title of the menu item for ``undo()``, such as "Undo Typing".
  public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// The title of the menu item for ``redo()``, such as "Redo Typing".
  public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// Returns the title of a menu item that undoes an action.
  ///
  /// - Parameter actionName: The name of the action, which can be empty.
  /// - Returns: The title, such as "Undo Typing".
  public func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// Returns the title of a menu item that redoes an action.
  ///
  /// - Parameter actionName: The name of the action, which can be empty.
  /// - Returns: The title, such as "Redo Typing".
  public func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Sets whether the current action can be lost without a warning, such as scrolling.
  ///
  /// - Parameter discardable: `true` if the action can be lost.
  public func setActionIsDiscardable(_ discardable: Bool) {
    change { $0.isDiscardable = discardable }
  }

  /// A Boolean value that indicates whether the action that ``undo()`` undoes can be lost without a
  /// warning.
  public var undoActionIsDiscardable: Bool { undoStack.last?.isDiscardable ?? false }

  /// A Boolean value that indicates whether the action that ``redo()`` repeats can be lost without
  /// a warning.
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
