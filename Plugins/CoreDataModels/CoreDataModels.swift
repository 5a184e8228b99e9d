import PackagePlugin

@main
struct CoreDataModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] { [] }
}
