import CoreData
import SwiftUI

/// A small app whose notes are kept in step over a server of one's own.
@main
struct NotesApp: App {
  @State private var opened = Self.open()
  @Environment(\.scenePhase) private var phase

  var body: some Scene {
    WindowGroup {
      switch opened {
      case .success(let notebook): NotesPage(notebook: notebook)
      case .failure(let error):
        ContentUnavailableView(
          "The notes cannot be opened",
          systemImage: "exclamationmark.triangle",
          description: Text(error.localizedDescription)
        )
      }
    }
    .onChange(of: phase) {
      guard case .success(let notebook) = opened else { return }
      // iOS ends an app that is suspended while it has locked a file of a group.
      notebook.pause(phase == .background)
    }
  }

  @MainActor
  private static func open() -> Result<Notebook, any Error> {
    Result {
      guard let url = Bundle.main.url(forResource: "Notes", withExtension: "momd"),
        let model = NSManagedObjectModel(contentsOf: url)
      else { throw CocoaError(.fileReadNoSuchFile) }
      let folder = NSPersistentContainer.defaultDirectoryURL()
      let notebook = try Notebook(model: model, file: folder.appending(path: "Notes.sqlite"))
      if let address = Address.kept { notebook.join(address, deviceName: Address.deviceName) }
      return notebook
    }
  }
}

/// The address of the zone, as this app keeps it.
///
/// It contains a token. An app of yours keeps it in the keychain.
@MainActor
enum Address {
  static var kept: String? {
    get { UserDefaults.standard.string(forKey: "address") }
    set { UserDefaults.standard.set(newValue, forKey: "address") }
  }

  static var deviceName: String {
    #if os(iOS)
    UIDevice.current.name
    #else
    Host.current().localizedName ?? "Mac"
    #endif
  }
}
