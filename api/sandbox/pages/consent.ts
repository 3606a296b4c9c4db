/** The page that asks a user for consent, in the network's own terms. */
import type { Platform } from '../../../domain/core/values.ts'
import { networkNames } from '../../contract/network-names.ts'
import { html } from '../html.ts'
import { page } from './frame.ts'

export interface ConsentShown {
  readonly platform: Platform
  /** The SocialAI user's name for the account; empty when the link has none. */
  readonly account: string
  readonly scope: string
  /** Whether the user may name several profiles. */
  readonly several: boolean
  readonly action: string
  /** Hidden fields that the form returns unchanged. */
  readonly echoed: readonly (readonly [name: string, value: string])[]
  /** The target of *Cancel*. */
  readonly cancelUrl: string
}

const profileWords: Readonly<Record<Platform, string>> = {
  facebook: 'One Facebook Page a line. All of them are shared.',
  instagram: 'The first line is the professional account that is shared.',
  twitter: 'The first line is the account that is shared.',
  linkedin: 'The first line is the member; each further line is a company page that the member manages.',
}

/** What the scopes mean to a user, in order; an unlisted scope is shown as it is. */
const meanings: Readonly<Record<string, string>> = {
  pages_show_list: 'See the Pages that you manage',
  pages_manage_posts: 'Publish and change posts on your Pages',
  pages_read_engagement: "Read your Pages' posts",
  business_management: 'See the Pages of your businesses',
  read_insights: "Read your Pages' figures",
  instagram_business_basic: 'See your professional account and its media',
  instagram_business_content_publish: 'Publish photos to your account',
  instagram_business_manage_insights: "Read your media's figures",
  'tweet.read': 'See your posts',
  'tweet.write': 'Post for you',
  'users.read': 'See your profile',
  'media.write': 'Upload media for you',
  'offline.access': 'Stay connected until you take the access back',
  openid: 'Know who you are',
  profile: 'Use your name and photo',
  email: 'Use your email address',
  r_basicprofile: 'Use your name and photo',
  w_member_social: 'Create posts on your behalf',
  r_member_social: 'Read your posts',
  r_member_postAnalytics: "Read your posts' figures",
  w_organization_social: "Create posts on your company pages' behalf",
  r_organization_social: "Read your company pages' posts",
  rw_organization_admin: 'See and manage your company pages, with their figures',
  r_organization_admin: 'See your company pages and their figures',
}

export function consentPage(base: string, shown: ConsentShown): string {
  const { platform, account, scope, several, action, echoed, cancelUrl } = shown
  const network = networkNames[platform]
  const names = scope.split(/[ ,]+/).filter((name) => name !== '')
  // Two scopes can mean the same to a user.
  const permissions = [...new Set(names.map((name) => meanings[name] ?? name))]
  return page(
    base,
    `Connect ${account || network}`,
    html`<h1>Allow SocialAI to post${account === '' ? '' : ' as '}<bdi>${account}</bdi>?</h1>
<p class="quiet">Sandbox version of ${network}</p>
<form class="card" method="post" action="${action}">
<p class="content">SocialAI asks for access to ${network}. On the real ${network} you would sign in here first.</p>
${
  permissions.length === 0
    ? null
    : html`<h2>It wants to</h2>
<ul>${permissions.map((permission) => html`<li>${permission}</li>`)}</ul>`
}
<label for="profiles">Profiles to share</label>
<textarea id="profiles" name="profiles" rows="${several ? 4 : 2}" required aria-describedby="profiles-hint" autocomplete="off" spellcheck="false" dir="auto">
${account}</textarea>
<p class="quiet" id="profiles-hint">${profileWords[platform]} The same name is always the same profile.</p>
${echoed.map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}
<div class="actions">
<button class="button main" type="submit">Allow</button>
<a class="button" href="${cancelUrl}">Cancel</a>
</div>
</form>`,
  )
}
