"""One walk through each part of the pages, for `./test`: what a person does there every day.

`Scripts/browser-tests` runs all tests, also those of haste, lost networks and old faults.
"""

WALK = {
    "test_looks": [
        "desk light",
        "desk dark",
        "search in a picture",
        "phone has one column at a time",
        "a tablet shows two columns",
        "targets can be hit",
        "the service worker keeps every file of the pages",
    ],
    "test_writing": [
        "a note is written saves itself and is there after a reload",
        "markdown becomes form while one types",
        "arrows lead from the list to the title and the text",
        "the toolbar forms what is chosen",
        "two brackets link to a note or make one",
        "keywords are made found removed and coloured",
        "a picture is chosen pasted seen and removed",
        "an earlier version is looked at and restored",
        "a note is exported and files are imported",
        "the trash gives back and keeps its word",
    ],
    "test_finding": [
        "six orders and sections",
        "search with words tokens and scopes",
        "the switcher goes anywhere",
        "the list is worked with the keyboard",
    ],
    "test_devices": [
        "two devices follow each other",
        "words of two devices are in the note and other wordings are shown on both",
        "who leaves keeps the notes or not",
    ],
    "test_pasting": [
        "what comes from other programs keeps its form",
        "pictures in what is pasted are taken or told",
    ],
    "test_strangers": [
        "a browser is let in once by the printed address",
        "the worker forgets a note that was deleted for good",
    ],
    "test_drawing": [
        "formulas and diagrams are drawn",
        "a formula is drawn as one types and one undo leaves it as words",
    ],
    "test_citing": [
        "citations have short forms and a list",
        "a work is completed while one types",
        "a work is chosen from the palette and the menu",
    ],
    "test_links": [
        "a link that is written shows where it leads",
        "a link to a note leads there",
        "a link to a heading leads to it",
    ],
    "test_sides": [
        "a note opens beside in each way",
        "both sides are written by turns",
        "a side that closes while one types loses nothing",
        "a note is never on both sides",
        "the line between the sides is moved",
    ],
    "test_languages": [
        "no text of the pages is left in english",
        "every language fits a phone",
    ],
    "test_tabs": [
        "a note opens in a tab and the tabs stay",
        "what is typed while tabs change is in its note",
        "words of tabs wait while the server is away",
        "tabs are worked with keys",
    ],
    "test_kit": [
        "the note of today is made once and from its template",
        "a note is made from a template",
        "a pinned note stands on top",
        "the outline leads to a heading",
        "the map shows links and leads to notes",
        "a search is kept renamed and forgotten",
        "words are replaced in a note and in many",
        "many notes get a keyword a status and leave as an archive",
    ],
    "test_quiet": [
        "the text alone to write and to read",
        "a version shows what has changed since",
        "the palette does what the menus do",
        "paper has no controls",
        "searching works offline",
    ],
    "test_small_programs": [
        "notes are accessible everywhere",
        "a note is written by keys and seen in another tab",
        "colours are accessible everywhere",
        "a colour is saved renamed cut and brought back",
    ],
    "test_folders": [
        "folders are made renamed moved and deleted",
        "notes and folders are dragged",
    ],
    "test_tagging": [
        "a word behind a hash gives the note a keyword",
        "keywords below others are a tree",
    ],
    "test_putting_in": [
        "a slash puts things in",
    ],
    "test_properties": [
        "properties are written with keys alone",
        "notes are found and ordered by a property",
        "properties on a phone",
    ],
    "test_copying": [
        "what was cut and put back could not be saved",
    ],
    "test_essays": [
        "pictures and files stand in the text",
        "a table is written with keys and with fingers",
    ],
    "test_attachments": [
        "a sound plays in the note and jumps",
        "no script of a drawing runs",
        "the pages of a pdf are turned in the note",
        "a memo is recorded into the note",
        "a drawing is made and changed",
    ],
    "test_exchange": [
        "an archive comes in is told and undone",
        "everything goes out and comes in again",
    ],
    "test_together": [
        "what others change comes in without taking the caret",
        "two tabs share one stream and see each other",
        "two texts at once are both kept",
        "without a network one reads writes and it goes out later",
    ],
    "test_haste": [
        "what was typed on before the next note came was lost",
    ],
    "test_leaving": [
        "a note nobody wrote in goes when it is left",
        "what cannot be read does not keep the program from starting",
    ],
    "test_work_on_texts": [
        "blocks move with keys",
        "notes are merged into one",
    ],
    "test_embeds": [
        "notes and parts are shown in their places",
        "an embed is typed and taken out",
    ],
    "test_notes_in_text": [
        "footnotes and callouts look like what they are",
        "a callout is typed changed and left",
    ],
    "test_studio": [
        "a store is looked through by links and back",
        "a table scrolls anywhere and is sorted and sized",
        "a condition is completed explained and corrected",
        "sql reads and never writes",
        "the model is searched and leads to objects",
        "a table follows a program that writes",
        "history is filtered and rows are saved",
        "studio is accessible everywhere",
    ],
    "test_parts": [
        "a difference turns any text into any other",
        "a template agrees with any list and keeps its elements",
    ],
    "test_behind_proxies": [
        "a page that a proxy made took the place of the notes",
    ],
    "test_calm": [
        "the text begins soon and the facts unfold",
        "typeface size and rows are chosen and stay",
    ],
    "test_publishing": [
        "a note is published read by a stranger and ended",
        "a theme changes the colours and loads nothing from elsewhere",
    ],
    "test_lock": [
        "a lock is set closed and opened",
        "what was typed just before the lock is in the note",
    ],
    "test_at_hand": [
        "a phone reads searches and writes notes that it never opened",
        "what is shared becomes a note when somebody says so",
    ],
}
