// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Apple's names.
public import Foundation

extension NSNotification.Name {
  /// A notification that an undo manager posts before it closes a group or opens a nested one, before
  /// undo and redo, and when it is asked whether there is something to redo.
  ///
  /// Observers register their pending actions.
  public static let NSUndoManagerCheckpoint = Self("NSUndoManagerCheckpointNotification")
  /// A notification that an undo manager posts before an undo.
  public static let NSUndoManagerWillUndoChange = Self("NSUndoManagerWillUndoChangeNotification")
  /// A notification that an undo manager posts after an undo.
  public static let NSUndoManagerDidUndoChange = Self("NSUndoManagerDidUndoChangeNotification")
  /// A notification that an undo manager posts before a redo.
  public static let NSUndoManagerWillRedoChange = Self("NSUndoManagerWillRedoChangeNotification")
  /// A notification that an undo manager posts after a redo.
  public static let NSUndoManagerDidRedoChange = Self("NSUndoManagerDidRedoChangeNotification")
  /// A notification that an undo manager posts after it has opened a group.
  public static let NSUndoManagerDidOpenUndoGroup = Self(
    "NSUndoManagerDidOpenUndoGroupNotification"
  )
  /// A notification that an undo manager posts before it closes a group.
  public static let NSUndoManagerWillCloseUndoGroup = Self(
    "NSUndoManagerWillCloseUndoGroupNotification"
  )
  /// A notification that an undo manager posts after it has closed a group.
  public static let NSUndoManagerDidCloseUndoGroup = Self(
    "NSUndoManagerDidCloseUndoGroupNotification"
  )
}

/// The `userInfo` key, in notifications about closing a group, of whether the group can be lost
/// without a warning.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"
