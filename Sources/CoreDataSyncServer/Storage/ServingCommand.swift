/// How the command begins that looks after a server's storage, for sentences that say what to do.
package enum ServingCommand: String, Sendable {
  case folder = "coredata serve FOLDER"
  case database = "coredata serve --store ADDRESS"
}
