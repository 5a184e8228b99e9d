/// The beginning of the command that looks after a server's storage, for sentences with advice.
package enum ServingCommand: String, Sendable {
  case folder = "coredata serve FOLDER"
  case database = "coredata serve --store ADDRESS"
}
