import CoreDataWebServer
import Foundation
import Pictures
import SlipboxLibrary

// slipbox [--port 8080] [--host 127.0.0.1 [--allow-host NAME]] [--store FOLDER|ADDRESS] [--no-samples]

// Pictures are read by this program in a process of its own.
PictureHelper.offer(CommandLine.arguments)

// Notes are for their writer's eyes: files and folders made here are for nobody else.
umask(0o077)

do {
  let options = try Options(
    Array(CommandLine.arguments.dropFirst()),
    environment: ProcessInfo.processInfo.environment
  )
  if options.wantsHelp {
    print(Options.help)
  } else {
    try await Program(options).run()
  }
} catch let error as OptionsError {
  FileHandle.standardError.write(Data("slipbox: \(error.sentence)\n".utf8))
  exit(64)
} catch {
  FileHandle.standardError.write(Data("slipbox: \(error.localizedDescription)\n".utf8))
  exit(1)
}
