/** What a person sees of the sandbox. */
import type { Instant } from '../../../domain/core/event.ts'
import { platforms, type Platform } from '../../../domain/core/values.ts'
import { networkNames } from '../names.ts'
import type { SandboxAccount, SandboxPost } from './feed.ts'
import { figuresOf } from './figures.ts'
import { html, type Html } from './html.ts'

function page(base: string, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Sandbox</title>
<link rel="stylesheet" href="${base}/style.css">
</head>
<body>
<p class="notice">This is a sandbox for trying things out. Nothing here reaches a real social network.</p>
<main>
${body}
</main>
</body>
</html>
`.text
}

export interface ConsentRequest {
  readonly platform: Platform
  readonly account: string
  readonly state: string
  readonly redirectUri: string
  /** Where *Cancel* leads. */
  readonly cancelUrl: string
}

export function consentPage(base: string, { platform, account, state, redirectUri, cancelUrl }: ConsentRequest): string {
  const network = networkNames[platform]
  return page(
    base,
    `Connect ${account}`,
    html`<h1>Allow SocialAI to post as <bdi>${account}</bdi>?</h1>
<p class="quiet">Sandbox version of ${network}</p>
<div class="card">
<p class="content">SocialAI asks to publish posts to this ${network} profile and to read their figures. On the real ${network} you would sign in here first.</p>
<form method="post" action="${base}/${platform}/oauth/authorize">
<input type="hidden" name="account" value="${account}">
<input type="hidden" name="state" value="${state}">
<input type="hidden" name="redirect_uri" value="${redirectUri}">
<div class="actions">
<button class="button main" type="submit">Allow</button>
<a class="button" href="${cancelUrl}">Cancel</a>
</div>
</form>
</div>`,
  )
}

export function accountsPage(base: string, accounts: readonly SandboxAccount[]): string {
  const groups = platforms.flatMap((platform) => {
    const own = accounts.filter((account) => account.platform === platform)
    return own.length === 0
      ? []
      : [
          html`<h2>${networkNames[platform]}</h2>
<ul class="card accounts">
${own.map((account) => html`<li><a href="${base}/${platform}/${account.remoteId}"><bdi>${account.name}</bdi></a><span class="quiet">${countOf(account.posts)}</span></li>`)}
</ul>`,
        ]
  })
  const empty = html`<p class="card">No profile is connected yet. Connect a social account in SocialAI and it shows up here.</p>`
  return page(base, 'Accounts', html`<h1>Sandbox networks</h1><p class="quiet">Everything that was published, by profile.</p>${groups.length > 0 ? groups : empty}`)
}

const countOf = (posts: number) => (posts === 1 ? '1 post' : `${posts.toLocaleString('en-US')} posts`)

/** An account's feed; `marked` is the post that a permalink names, shown first. */
export function feedPage(
  base: string,
  account: SandboxAccount,
  posts: readonly SandboxPost[],
  marked: SandboxPost | null,
  now: Instant,
): string {
  const others = posts.filter(({ id }) => id !== marked?.id)
  const card = (post: SandboxPost) => postCard(base, post, post === marked, now)
  return page(
    base,
    account.name,
    html`<h1><bdi>${account.name}</bdi></h1>
<p class="quiet">${networkNames[account.platform]} sandbox · ${countOf(account.posts)} · <a href="${base}/">All profiles</a></p>
${marked === null ? null : card(marked)}
${marked !== null && others.length > 0 ? html`<h2>More from this profile</h2>` : null}
${others.map(card)}
${posts.length === 0 && marked === null ? html`<p class="card">Nothing has been published here yet.</p>` : null}
${account.posts > posts.length ? html`<p class="quiet">Only the newest ${posts.length} are shown.</p>` : null}`,
  )
}

function postCard(base: string, post: SandboxPost, isMarked: boolean, now: Instant): Html {
  const { id, platform, remoteId, content, imageUrl, createdAt } = post
  const figures = Object.entries(figuresOf(post, now)).map(
    ([name, count]) => html`<div><dt>${name}</dt><dd>${Number(count).toLocaleString('en-US')}</dd></div>`,
  )
  return html`<article class="card${isMarked ? ' marked' : ''}" id="${id}">
<p class="content" dir="auto">${content}</p>
${imageUrl === null ? null : html`<img src="${imageUrl}" alt="The post's image" loading="lazy" referrerpolicy="no-referrer">`}
<p class="quiet"><a href="${base}/${platform}/${remoteId}/${id}"><time datetime="${createdAt}">${readable(createdAt)}</time></a></p>
<dl class="figures">${figures}</dl>
</article>`
}

const readable = (at: Instant) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at)) + ' UTC'

export const problemPage = (base: string, title: string, sentence: string): string =>
  page(base, title, html`<h1>${title}</h1><p class="card">${sentence}</p><p><a href="${base}/">All profiles</a></p>`)
