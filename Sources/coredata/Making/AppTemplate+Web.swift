// MARK: - A page in the browser

extension AppTemplate {
  var webFiles: [String: String] {
    [
      "Sources/\(name)/main.swift": server,
      "Sources/\(name)/Web/index.html": page,
      "Sources/\(name)/Web/app.js": script,
      "Sources/\(name)/Web/app.css": style,
    ]
  }

  private var server: String {
    """
    import CoreDataWebServer
    import Foundation
    import \(name)Model

    struct NewNote: Codable { let title: String }
    struct Mark: Codable { let isDone: Bool }

    // Ends when it is asked to (Ctrl C, or SIGTERM from a service manager), after the answers that are being written.
    await WebProgram("\(name)", "Notes, in the browser.", port: 8090).run { options in
      let file = options.store ?? URL.currentDirectory().appending(component: "\(name).sqlite")
      let notebook = try Notebook(file: file)
      var router = Router()
      router.get("/api/notes") { _ in try .json(await notebook.lines()) }
      router.post("/api/notes") { request in
        let sent: NewNote = try request.json()
        try await notebook.add(sent.title)
        return try .json(await notebook.lines(), status: 201)
      }
      router.patch("/api/notes/:id") { request in
        let sent: Mark = try request.json()
        guard let id = UUID(uuidString: try request.parameter("id")) else { throw Problem(404, "There is no such note.") }
        try await notebook.mark(id, done: sent.isDone)
        return try .json(await notebook.lines())
      }
      router.files(under: "/", from: Bundle.module.bundleURL.appending(component: "Web"))
      let configuration = try options.configuration(of: "\(name)", store: file)
      try await WebServer(router, configuration: configuration).run { announce("\(name) is at \\($0)") }
    }

    """
  }

  private var page: String {
    """
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(name)</title>
        <link rel="stylesheet" href="/app.css">
        <script type="module" src="/app.js"></script>
      </head>
      <body>
        <h1>\(name)</h1>
        <form id="new">
          <label for="title">New note</label>
          <input id="title" required maxlength="500" autocomplete="off">
          <button>Add</button>
        </form>
        <ul id="notes"></ul>
        <p id="problem" role="alert"></p>
      </body>
    </html>

    """
  }

  private var script: String {
    """
    const list = document.getElementById("notes");
    const problem = document.getElementById("problem");

    async function call(method, path, value) {
      const answer = await fetch(path, {
        method,
        headers: value ? { "Content-Type": "application/json" } : {},
        body: value ? JSON.stringify(value) : undefined,
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    }

    function show(notes) {
      problem.textContent = "";
      list.replaceChildren(...notes.map((note) => {
        const item = document.createElement("li");
        const label = document.createElement("label");
        const box = document.createElement("input");
        box.type = "checkbox";
        box.checked = note.isDone;
        box.addEventListener("change", () => act("PATCH", `/api/notes/${note.id}`, { isDone: box.checked }));
        label.append(box, " ", note.title);
        item.append(label);
        return item;
      }));
    }

    async function act(...request) {
      try {
        show(await call(...request));
      } catch (error) {
        problem.textContent = `That did not work: ${error.message}`;
      }
    }

    document.getElementById("new").addEventListener("submit", async (event) => {
      event.preventDefault();
      const title = document.getElementById("title");
      await act("POST", "/api/notes", { title: title.value });
      title.value = "";
      title.focus();
    });

    act("GET", "/api/notes");

    """
  }

  private var style: String {
    """
    body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
    form { display: flex; gap: .5rem; align-items: center; }
    input:not([type="checkbox"]) { flex: 1; font: inherit; padding: .4rem; }
    button { font: inherit; padding: .4rem 1rem; }
    ul { list-style: none; padding: 0; }
    #problem { color: #a40000; }

    """
  }
}
