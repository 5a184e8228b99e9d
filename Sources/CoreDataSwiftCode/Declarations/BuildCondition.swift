/// The value of an `#if` condition when code is compiled for Linux.
package enum BuildCondition: Hashable, Sendable {
  case holds
  case fails
  /// The compiler will know: a flag of the build, for one.
  case open

  /// Reads a condition.
  ///
  /// A condition of more than a thousand words and signs is open: it could be nested more deeply than can be read.
  ///
  /// - Parameters:
  ///   - tokens: The condition.
  ///   - knowsModules: Whether `canImport` has the value that it has without modules of others; if not, the condition is open.
  package init(_ tokens: some Collection<SwiftToken>, knowsModules: Bool = true) {
    guard tokens.count <= 1_000, knowsModules || !tokens.contains(where: { $0.is("canImport") })
    else {
      self = .open
      return
    }
    var cursor = SwiftTokenCursor(tokens: Array(tokens))
    self = Self.either(&cursor)
  }

  package var negated: Self {
    switch self {
    case .holds: .fails
    case .fails: .holds
    case .open: .open
    }
  }
}

// MARK: - Reading

extension BuildCondition {
  private static func either(_ cursor: inout SwiftTokenCursor) -> Self {
    var result = both(&cursor)
    while cursor.take("|") {
      _ = cursor.take("|")
      let other = both(&cursor)
      result =
        result == .holds || other == .holds
        ? .holds : result == .fails && other == .fails ? .fails : .open
    }
    return result
  }

  private static func both(_ cursor: inout SwiftTokenCursor) -> Self {
    var result = single(&cursor)
    while cursor.take("&") {
      _ = cursor.take("&")
      let other = single(&cursor)
      result =
        result == .fails || other == .fails
        ? .fails : result == .holds && other == .holds ? .holds : .open
    }
    return result
  }

  private static func single(_ cursor: inout SwiftTokenCursor) -> Self {
    if cursor.take("!") { return single(&cursor).negated }
    if cursor.take("(") {
      let inner = either(&cursor)
      _ = cursor.take(")")
      return inner
    }
    guard let word = cursor.takeWord() else { return .open }
    guard cursor.isAt("(") else {
      return word.text == "true" ? .holds : word.text == "false" ? .fails : .open
    }
    let argument = cursor.peek(1)?.text ?? ""
    cursor.skipBalanced()
    return question(word.text, argument)
  }

  private static func question(_ word: String, _ argument: String) -> Self {
    switch word {
    case "os": argument == "Linux" ? .holds : .fails
    case "targetEnvironment": .fails
    case "canImport": known(module: argument)
    case "_runtime": argument == "_ObjC" ? .fails : .open
    default: .open
    }
  }

  private static func known(module: String) -> Self {
    if ["CoreData", "Foundation", "Dispatch", "Glibc"].contains(module) { return .holds }
    return absentModules.contains(module) ? .fails : .open
  }

  /// Apple's modules that Linux does not have.
  package static let absentModules: Set<String> = [
    "Accelerate", "ActivityKit", "AdSupport", "AppIntents", "AppKit", "ARKit", "AudioToolbox",
    "AuthenticationServices", "AVFAudio", "AVFoundation", "AVKit", "BackgroundTasks", "CarPlay",
    "Charts", "CloudKit", "Cocoa", "Combine", "Contacts", "ContactsUI", "CoreAudio",
    "CoreBluetooth", "CoreGraphics", "CoreHaptics", "CoreImage", "CoreLocation", "CoreMedia",
    "CoreML", "CoreMotion", "CoreServices", "CoreSpotlight", "CoreText", "CoreVideo", "CryptoKit",
    "Darwin", "DeviceActivity", "EventKit", "EventKitUI", "ExtensionFoundation", "FileProvider",
    "GameKit", "HealthKit", "ImageIO", "Intents", "IOKit", "LinkPresentation",
    "LocalAuthentication", "MapKit", "MediaPlayer", "MessageUI", "Metal", "MetalKit",
    "MultipeerConnectivity", "NaturalLanguage", "Network", "NotificationCenter", "ObjectiveC", "os",
    "OSLog", "PDFKit", "PencilKit", "Photos", "PhotosUI", "QuartzCore", "QuickLook",
    "SafariServices", "SceneKit", "Security", "Social", "Speech", "SpriteKit", "StoreKit",
    "SwiftUI", "SystemConfiguration", "TipKit", "UIKit", "UniformTypeIdentifiers",
    "UserNotifications", "Vision", "VisionKit", "WatchConnectivity", "WatchKit", "WebKit",
    "WidgetKit",
  ]
}
