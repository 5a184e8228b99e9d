import Foundation

// Feeds the framework's readers with damaged input, until one of them stops the program or takes too
// long.
//
//     program-to-fuzz TARGET --seed 1 --first 0 --runs 1000 --mark FILE [--seeds FOLDER]
//
// Every run is known by its number: its input depends on the seed and the number alone. The number
// of the present run is in the file, for people who find the program dead.

let options = FuzzOptions(CommandLine.arguments.dropFirst())
guard let options, let target = FuzzTargets.make(options) else {
  let names = FuzzTargets.names.joined(separator: " ")
  FileHandle.standardError.write(Data("program-to-fuzz TARGET …; targets: \(names)\n".utf8))
  exit(2)
}
FuzzRun(target, options).perform()
