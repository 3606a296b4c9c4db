/** The layout of every page of the sandbox. */
import { html, type Html } from '../html.ts'

export function page(base: string, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/style.css">
</head>
<body>
<header class="notice">This is a sandbox for trying things out. Nothing here reaches a real social network.</header>
<main>
${body}
</main>
</body>
</html>
`.text
}

export const problemPage = (base: string, title: string, sentence: string): string =>
  page(base, title, html`<h1>${title}</h1><p class="card">${sentence}</p><p><a href="${base}/">All profiles</a></p>`)
