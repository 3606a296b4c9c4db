/** All profiles and their published posts. */
import type { Instant } from '../../../domain/core/event.ts'
import { platforms } from '../../../domain/core/values.ts'
import { networkNames } from '../../contract/network-names.ts'
import { figuresOf } from '../figures.ts'
import { html, type Html } from '../html.ts'
import { feedUrl } from '../ports.ts'
import type { SandboxPost } from '../store/feed.ts'
import type { SandboxAccount } from '../store/profiles.ts'
import { page } from './frame.ts'

/** @param isCut whether there are more than these */
export function accountsPage(base: string, accounts: readonly SandboxAccount[], isCut: boolean): string {
  const groups = platforms.flatMap((platform) => {
    const own = accounts.filter((account) => account.platform === platform)
    return own.length === 0
      ? []
      : [
          html`<h2>${networkNames[platform]}</h2>
<ul class="card accounts">
${own.map((account) => accountItem(base, account))}
</ul>`,
        ]
  })
  const empty = html`<p class="card">No profile is connected yet. Connect a social account in SocialAI and it shows up here.</p>`
  return page(
    base,
    'Accounts',
    html`<h1>Sandbox networks</h1><p class="quiet">Everything that was published, by profile.</p>${groups.length > 0 ? groups : empty}${isCut ? html`<p class="quiet">Only the first ${accounts.length} are shown.</p>` : null}`,
  )
}

const accountItem = (base: string, { platform, remoteId, kind, name, posts }: SandboxAccount) =>
  html`<li><span><a href="${base}/feeds/${platform}/${remoteId}"><bdi>${name}</bdi></a>${kind === 'organization' ? ' (company page)' : ''}</span><span class="quiet">${countOf(posts)}</span></li>`

const countOf = (posts: number) => (posts === 1 ? '1 post' : `${posts.toLocaleString('en-US')} posts`)

/** An account's feed; `marked` is the post of a permalink, shown first. */
export function feedPage(
  base: string,
  account: SandboxAccount,
  posts: readonly SandboxPost[],
  marked: SandboxPost | null,
  now: Instant,
): string {
  const others = posts.filter(({ id }) => id !== marked?.id)
  const card = (post: SandboxPost) => postCard(base, account, post, post === marked, now)
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

function postCard(base: string, { name }: SandboxAccount, post: SandboxPost, isMarked: boolean, now: Instant): Html {
  const { id, content, imageUrl, imageHash, createdAt } = post
  const figures = Object.entries(figuresOf(post, now)).map(
    ([figure, count]) => html`<div><dt>${figure}</dt><dd>${Number(count).toLocaleString('en-US')}</dd></div>`,
  )
  const image = imageHash === null ? imageUrl : `${base}/images/${imageHash}`
  return html`<article class="card${isMarked ? ' marked' : ''}" id="${id}" aria-label="${isMarked ? 'The post that was linked to' : `Post by ${name}`}">
<p class="content" dir="auto">${content}</p>
${image === null ? null : html`<img src="${image}" alt="The post's image" loading="lazy" referrerpolicy="no-referrer">`}
<p class="quiet"><a href="${feedUrl(base, post)}"><time datetime="${createdAt}">${readable(createdAt)}</time></a></p>
<dl class="figures">${figures}</dl>
</article>`
}

const readable = (at: Instant) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at)) +
  ' UTC'
