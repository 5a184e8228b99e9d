import CoreDataSyncDevice
import SwiftUI

/// Joining and leaving other devices, the state of the exchange, and conflicts.
struct DevicesPage: View {
  let notebook: Notebook
  @State private var address = ""
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    NavigationStack {
      Form {
        if let status = notebook.status {
          Section("Exchange") { StatusRows(status: status) }
          Section("Conflicts") { conflicts }
          Button("Stop the exchange", role: .destructive) {
            Address.kept = nil
            notebook.leave()
          }
        } else {
          Section("Pairing code or address") {
            TextField("https://…/Notes#…", text: $address).autocorrectionDisabled()
            Button("Join") {
              notebook.join(address, deviceName: Address.deviceName)
              if notebook.status != nil { Address.kept = address }
            }
            .disabled(address.isEmpty)
          }
        }
      }
      .formStyle(.grouped)
      .navigationTitle("Other devices")
      .toolbar { Button("Done") { dismiss() } }
    }
  }

  @ViewBuilder private var conflicts: some View {
    if notebook.conflicts.isEmpty { Text("No value was replaced unseen.") }
    ForEach(notebook.conflicts) { conflict in
      VStack(alignment: .leading) {
        Text("\(conflict.propertyName ?? "Value") of \(conflict.deviceName ?? "another device")")
          .font(.headline)
        Text(conflict.losingText)
        HStack {
          Button("Use this") { settle(conflict, takesBack: true) }
          Button("Forget it") { settle(conflict, takesBack: false) }
        }
        .buttonStyle(.bordered)
      }
    }
  }

  private func settle(_ conflict: SyncedStore.Conflict, takesBack: Bool) {
    Task { await notebook.settle(conflict, takesBack: takesBack) }
  }
}

/// The state of the exchange in words.
private struct StatusRows: View {
  let status: SyncedStore.Status

  var body: some View {
    LabeledContent("Waiting", value: waiting)
    if let date = status.lastConfirmed {
      LabeledContent("Last exchange", value: date.formatted(date: .abbreviated, time: .standard))
    }
    if let problem = status.problem { Text(problem.description).foregroundStyle(.red) }
  }

  private var waiting: String {
    status.countsAreKnown ? "\(status.pendingSaveCount)" : "at least \(status.pendingSaveCount)"
  }
}
