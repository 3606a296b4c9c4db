/** The sandbox pages' stylesheet, served as a file so that their policy needs no inline style. */
export const stylesheet = `
:root { color-scheme: light dark; --ink: #0f172a; --quiet: #526077; --paper: #ffffff; --ground: #f1f5f9; --line: #d5dde8; --accent: #1d4ed8; --on-accent: #ffffff; --notice: #fef3c7; --notice-ink: #713f12 }
@media (prefers-color-scheme: dark) { :root { --ink: #e5eaf2; --quiet: #a3b1c6; --paper: #16202f; --ground: #0b121d; --line: #2d3b50; --accent: #93b4ff; --on-accent: #0b1220; --notice: #3a2c0a; --notice-ink: #fde68a } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
.notice { margin: 0; padding: .6rem 1rem; background: var(--notice); color: var(--notice-ink); text-align: center; font-size: .9rem }
main { max-width: 40rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { margin: 2rem 0 .75rem; font-size: 1.05rem }
a { color: var(--accent) }
.quiet { color: var(--quiet); font-size: .9rem; margin: .25rem 0 }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 1rem 0 }
.card.marked { border: 2px solid var(--accent) }
.content { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
.card img { display: block; max-width: 100%; max-height: 30rem; margin: 1rem 0 0; border-radius: .5rem }
.figures { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; padding: .75rem 0 0; border-top: 1px solid var(--line); font-size: .9rem; color: var(--quiet) }
.figures div { display: flex; gap: .35rem } .figures dt::after { content: ":" } .figures dd { margin: 0; color: var(--ink); font-variant-numeric: tabular-nums }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
.button { display: inline-block; min-height: 2.75rem; padding: .6rem 1.4rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: var(--ink); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
.button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
label { display: block; margin: 1.25rem 0 .35rem; font-weight: 600 }
textarea { display: block; width: 100%; padding: .6rem .75rem; border: 1px solid var(--quiet); border-radius: .5rem; background: var(--ground); color: var(--ink); font: inherit; resize: vertical }
.card h2 { margin: 1.25rem 0 .35rem } .card ul:not(.accounts) { margin: 0; padding-left: 1.25rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
ul.accounts { list-style: none; margin: 0; padding: 0 }
ul.accounts li { display: flex; justify-content: space-between; gap: 1rem; padding: .65rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
ul.accounts li:last-child { border-bottom: 0 }
`
