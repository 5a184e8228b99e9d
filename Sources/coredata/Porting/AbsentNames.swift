import CoreDataSwiftCode

/// The names by which code uses modules that Linux does not have.
enum AbsentNames {
  /// The module that a name belongs to, among those that a file imports.
  static func module(of name: String, importing modules: Set<String>) -> String? {
    if let module = whole[name], modules.contains(module) { return module }
    return prefixes.first { module, prefix in
      modules.contains(module) && name.hasPrefix(prefix)
        && name.dropFirst(prefix.count).first?.isUppercase == true
    }?.0
  }

  private static let whole: [String: String] = [
    "AppEntity": "AppIntents", "AppIntent": "AppIntents",
    "AppShortcutsProvider": "AppIntents", "EntityQuery": "AppIntents",
    "OSAllocatedUnfairLock": "os", "os_unfair_lock": "os", "os_unfair_lock_lock": "os",
    "os_unfair_lock_unlock": "os", "os_signpost": "os", "vDSP": "Accelerate",
    "vImage": "Accelerate", "SecureEnclave": "CryptoKit", "SymmetricKey": "CryptoKit",
    "SHA256": "CryptoKit", "kSecClass": "Security",
  ]

  private static let prefixes: [(String, String)] = [
    ("ARKit", "AR"), ("AVFAudio", "AV"), ("AVFoundation", "AV"), ("AVKit", "AV"),
    ("AuthenticationServices", "AS"), ("BackgroundTasks", "BG"), ("Contacts", "CN"),
    ("CoreBluetooth", "CB"), ("CoreGraphics", "CG"), ("CoreImage", "CI"),
    ("CoreLocation", "CL"), ("CoreML", "ML"), ("CoreMotion", "CM"), ("CoreSpotlight", "CS"),
    ("EventKit", "EK"), ("GameKit", "GK"), ("HealthKit", "HK"), ("ImageIO", "CGImage"),
    ("Intents", "IN"), ("LinkPresentation", "LP"), ("LocalAuthentication", "LA"),
    ("MapKit", "MK"), ("MediaPlayer", "MP"), ("MessageUI", "MF"), ("Metal", "MTL"),
    ("NaturalLanguage", "NL"), ("Network", "NW"), ("PDFKit", "PDF"), ("PencilKit", "PK"),
    ("Photos", "PH"), ("SceneKit", "SCN"), ("Security", "Sec"), ("SpriteKit", "SK"),
    ("StoreKit", "SK"), ("UserNotifications", "UN"), ("Vision", "VN"),
    ("WatchConnectivity", "WC"), ("WebKit", "WK"),
  ]

  /// The names by which a file shows that it uses Combine.
  static let ofCombine: Set<String> = [
    "AnyCancellable", "AnyPublisher", "CurrentValueSubject", "Future", "Just", "ObservableObject",
    "PassthroughSubject", "Published", "Publisher", "Publishers", "Subscribers",
    "eraseToAnyPublisher",
    "objectWillChange", "publisher", "sink",
  ]

  /// The modules that draw user interfaces, of which the names are many.
  static let drawing: Set<String> = [
    "AppKit", "Cocoa", "SwiftUI", "UIKit", "WatchKit", "WidgetKit",
  ]
}

extension PortDraft {
  /// Lists the first use of each name that Linux does not have, if the sources do not declare it themselves.
  mutating func leaveAbsentNames() {
    var met: Set<String> = []
    for place in tokens.indices
    where tokens[place].kind == .word && tokens.at(place - 1)?.is("import") != true
      && tokens.at(place - 1)?.is(".") != true && !isConditional(place)
    {
      let name = tokens[place].name
      guard !survey.declaredTypes.contains(name), !met.contains(name),
        let reason = reason(name, place)
      else { continue }
      met.insert(name)
      leave(line: tokens[place].line, reason)
    }
  }

  private func reason(_ name: String, _ place: Int) -> String? {
    if ["os_log", "OSLog", "Logger"].contains(name), !modules.isDisjoint(with: ["os", "OSLog"]) {
      return "\(name) does not exist on Linux; print, or use the package swift-log"
    }
    if UserInterface.isNameOfDrawing(name), !modules.isDisjoint(with: AbsentNames.drawing) {
      return
        "\(name) draws a user interface, which Linux does not have; keep the data in the model, and make the "
        + "\(name) where it is shown"
    }
    return AbsentNames.module(of: name, importing: modules).map {
      "\(name) is of \($0), which Linux does not have"
    }
  }
}
