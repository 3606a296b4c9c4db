import { Writable } from 'node:stream'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { openFiles } from '../../composition/embedded.ts'
import type { Records } from '../../records/port.ts'
import { memberOf } from '../../testing/members.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { storesFor } from '../../testing/servers.ts'
import { confirmedAddress, letter, tokenIn } from '../auth/test/letters.ts'
import { openCommentWords } from '../comments/words.ts'
import { ErasedPeople } from './erased.ts'
import { ReviewNotes, type ReviewNote } from './notes.ts'
import { Reviewers } from './reviewers.ts'
import { filesIn, reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

let server: TestServer
let records: Records
let agency: Reviewed
let logged = ''

beforeAll(async () => {
  const lines = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString()
      done()
    },
  })
  const dataDir = await temporaryFolder('erase')
  const openStores = async () => {
    const stores = await (storesFor(dataDir)?.() ?? openFiles(dataDir))
    records = stores.records
    return stores
  }
  server = await testServer({ DATA_DIR: dataDir }, { log: pino({ level: 'trace' }, lines), openStores })
  agency = await reviewedAgency(server)
})
afterAll(() => server.remove())

const filesWith = (text: string) => filesIn(server.dataDir, text)

const notesOf = (of: Records) => of.table<ReviewNote>({ table: 'review_notes', indexed: ['clientId'] })
const reviewersOf = (of: Records) => of.table({ table: 'reviewers' })

const name = 'Zebulon Quartzwright'
const words = 'A peculiar marmalade, please'

describe('A reviewer', () => {
  it(
    'who is erased is in no file by name, address or words, and the verdict stays [S221]',
    { tags: 'long' },
    async () => {
      const postId = await agency.submit('Fresh coffee')
      const contact = await agency.contact(name)
      const { token } = await agency.issue({ contacts: [contact.id] })
      await letter(server, contact.email, /for your review/)
      const browser = reviewer(server)
      const { posts } = await browser.open(token)
      const post = posts.find(({ id }) => id === postId)
      const seen = { postId, seenHash: post?.hash, seenVersion: post?.version }
      await browser.api.callOrThrow('giveVerdict', { body: { token, ...seen, verdict: 'changes', note: words } })
      const { you } = await browser.open(token)
      expect(await filesWith(name)).not.toEqual([])
      expect(await filesWith(words)).not.toEqual([])

      const admin = await memberOf(server, agency.caller, 'admin')
      const params = { id: you.id ?? '' }
      expect(await admin.caller.ask('eraseReviewer', { params })).toMatchObject({ status: 403 })
      expect(await agency.caller.ask('eraseReviewer', { params })).toMatchObject({ status: 204 })
      for (const text of [name, words, contact.email]) expect([text, await filesWith(text)]).toEqual([text, []])
      const history = await agency.caller.callOrThrow('getPostHistory', { params: { id: postId } })
      expect(history.find(({ type }) => type === 'PostReviewed')).toMatchObject({
        actor: { type: 'reviewer', id: you.id, name: 'Former reviewer' },
        note: null,
      })
      expect(await browser.look(token)).toMatchObject({ state: 'revoked' })
      expect(await agency.caller.ask('eraseReviewer', { params })).toMatchObject({ status: 404 })
    },
  )

  it('who only said a name is listed by the link for the owner alone, and is erased [S251]', async () => {
    const { id, token } = await agency.issue()
    const browser = reviewer(server)
    const session = await browser.named(token, 'Yolanda Applewhite')
    const params = { id }
    const [admin, stranger] = [await memberOf(server, agency.caller, 'admin'), await reviewedAgency(server)]
    expect(await admin.caller.ask('listReviewers', { params })).toMatchObject({ status: 403 })
    expect(await stranger.caller.ask('listReviewers', { params })).toMatchObject({ status: 404 })
    const [yolanda] = await agency.caller.callOrThrow('listReviewers', { params })
    expect(yolanda).toMatchObject({ name: 'Yolanda Applewhite', contactId: null })
    expect(await stranger.caller.ask('eraseReviewer', { params: { id: yolanda?.id ?? '' } })).toMatchObject({
      status: 404,
    })
    await agency.caller.callOrThrow('eraseReviewer', { params: { id: yolanda?.id ?? '' } })
    expect(await agency.caller.callOrThrow('listReviewers', { params })).toEqual([])
    expect(await filesWith('Yolanda')).toEqual([])
    expect((await browser.open(token, { session })).you.name).toBeNull()
  })

  it(
    'who is a contact is erased by the id of the contact, with all that was said by any link',
    { tags: 'long' },
    async () => {
      const contact = await agency.contact('Xaver Plumtree')
      const { id, token } = await agency.issue({ contacts: [contact.id] })
      await letter(server, contact.email, /for your review/)
      await agency.submit('For a contact')
      const { posts } = await reviewer(server).open(token)
      const seen = posts.map(({ id: postId, version }) => ({ postId, version }))
      await reviewer(server).api.callOrThrow('openReview', { body: { token, seen } })
      expect(await agency.caller.callOrThrow('listReviewers', { params: { id } })).toMatchObject([
        { name: 'Xaver Plumtree', contactId: contact.id },
      ])
      const stranger = await reviewedAgency(server)
      const params = { id: contact.id }
      expect(await stranger.caller.ask('eraseReviewer', { params })).toMatchObject({ status: 404 })
      await agency.caller.callOrThrow('eraseReviewer', { params })
      expect(await agency.caller.callOrThrow('listReviewers', { params: { id } })).toEqual([])
      expect(await agency.caller.callOrThrow('listContacts', { params: { id: agency.clientId } })).toEqual([])
      for (const text of ['Xaver', contact.email]) expect([text, await filesWith(text)]).toEqual([text, []])
      expect(await agency.caller.ask('eraseReviewer', { params })).toMatchObject({
        status: 404,
      })
    },
  )

  it('whose requests are under way leaves no name and no words behind [S221]', { tags: 'long' }, async () => {
    for (const round of [0, 1, 2]) {
      const [postId, other] = [await agency.submit(`Post ${round}`), await agency.submit(`Other ${round}`)]
      const contact = await agency.contact(`Quixname ${round}`)
      const { id, token } = await agency.issue({
        contacts: [contact.id],
        may: ['approve', 'comment'],
      })
      await letter(server, contact.email, /for your review/)
      const browser = reviewer(server)
      const post = (await browser.open(token)).posts.find((each) => each.id === postId)
      const seen = { seenHash: post?.hash, seenVersion: post?.version }
      const verdict = {
        token,
        postId,
        ...seen,
        verdict: 'changes',
        note: `Quixnote ${round}`,
      }
      const comment = { token, postId: other, text: `Quixwords ${round}` }
      await Promise.all([
        browser.problem('commentAsReviewer', {
          ...comment,
          commentId: uuidv7(),
        }),
        browser.problem('giveVerdict', verdict),
        agency.caller.callOrThrow('eraseReviewer', {
          params: { id: contact.id },
        }),
        browser.problem('commentAsReviewer', {
          ...comment,
          commentId: uuidv7(),
        }),
        browser.problem('giveVerdict', { ...verdict, postId: other }),
      ])
      expect(await agency.caller.callOrThrow('listReviewers', { params: { id } })).toEqual([])
      for (const table of [await openCommentWords(records), await notesOf(records)])
        expect(JSON.stringify(await table.find('clientId', agency.clientId, 1_000))).not.toContain('Quix')
      expect(
        await agency.caller.ask('eraseReviewer', {
          params: { id: contact.id },
        }),
      ).toMatchObject({ status: 404 })
    }
  })

  it('who was erased while a request was under way is not written down by it [S221]', async () => {
    const contact = await agency.contact('Ulla Late')
    const { id: linkId } = await agency.issue({ contacts: [contact.id] })
    await agency.caller.callOrThrow('eraseReviewer', {
      params: { id: contact.id },
    })
    const erased = await ErasedPeople.open(records, server.clock)
    const people = await Reviewers.open(records, server.clock, erased)
    const notes = await ReviewNotes.open(records, erased)
    const { clientId } = agency
    const token = {
      id: 'x',
      linkId,
      agencyId: 'a',
      clientId,
      contactId: contact.id,
      expiresAt: server.clock.now(),
    }
    await expect(people.add(token, 'late-reviewer', 'Ulla Late')).rejects.toMatchObject({ type: 'link-revoked' })
    expect(await people.get('late-reviewer')).toBeNull()
    await erased.mark('late-reviewer')
    const note = {
      postId: 'p',
      agencyId: 'a',
      clientId,
      reviewerId: 'late-reviewer',
      text: 'Late words',
    }
    await expect(notes.put(note)).rejects.toMatchObject({
      type: 'link-revoked',
    })
    expect(await notes.ofReviewer('late-reviewer')).toEqual([])
    server.clock.advance(2 * 86_400_000)
    await erased.sweep()
    expect(await erased.has('late-reviewer')).toBe(false)
  })

  it('keeps a name as a removed contact, and is erased by the id of the contact then', async () => {
    const contact = await agency.contact('Wanda Former')
    const { id, token } = await agency.issue({ contacts: [contact.id] })
    await reviewer(server).api.callOrThrow('openReview', { body: { token, seen: [] } })
    await agency.caller.callOrThrow('removeContact', { params: { id: agency.clientId, contactId: contact.id } })
    const params = { id }
    expect(await agency.caller.callOrThrow('listReviewers', { params })).toMatchObject([{ name: 'Wanda Former' }])
    await agency.caller.callOrThrow('eraseReviewer', { params: { id: contact.id } })
    expect(await agency.caller.callOrThrow('listReviewers', { params })).toEqual([])
    expect(await filesWith('Wanda')).toEqual([])
  })

  it('of whom words alone are left is erased by the ids of the reviewer and of the former contact', async () => {
    const postId = await agency.submit('For words alone')
    const contact = await agency.contact('Vera Olm')
    const { token } = await agency.issue({
      contacts: [contact.id],
      may: ['comment'],
    })
    const browser = reviewer(server)
    const table = await openCommentWords(records)
    for (const by of ['reviewer', 'contact']) {
      const body = {
        token,
        postId,
        commentId: uuidv7(),
        text: `Left for the ${by}`,
      }
      await browser.api.callOrThrow('commentAsReviewer', { body })
      const [left] = (await table.find('clientId', agency.clientId, 1_000)).filter(
        ({ words }) => words.text === body.text,
      )
      const reviewerId = left?.authorId ?? ''
      await (await reviewersOf(records)).remove(reviewerId)
      if (by === 'contact')
        await agency.caller.callOrThrow('removeContact', {
          params: { id: agency.clientId, contactId: contact.id },
        })
      const params = { id: by === 'contact' ? contact.id : reviewerId }
      const stranger = await reviewedAgency(server)
      expect(await stranger.caller.ask('eraseReviewer', { params })).toMatchObject({ status: 404 })
      await agency.caller.callOrThrow('eraseReviewer', { params })
      expect(await table.find('authorId', reviewerId)).toEqual([])
      await (await records.table({ table: 'erased_people' })).remove(reviewerId)
    }
  })

  it('is no member: the comments of members stay', async () => {
    const { caller: writer, memberId } = await memberOf(server, agency.caller, 'writer')
    const params = { id: await agency.submit('By a member') }
    await writer.callOrThrow('postComment', {
      params,
      body: { commentId: uuidv7(), text: 'Of a member' },
    })
    expect(await agency.caller.ask('eraseReviewer', { params: { id: memberId } })).toMatchObject({ status: 404 })
    const { comments } = await agency.caller.callOrThrow('listComments', {
      params,
    })
    const userId = comments[0]?.author.id ?? ''
    expect(await agency.caller.ask('eraseReviewer', { params: { id: userId } })).toMatchObject({ status: 404 })
    expect((await agency.caller.callOrThrow('listComments', { params })).comments[0]?.text).toBe('Of a member')
  })

  it("has a token that is in no file and no line of the server's log [S218]", async () => {
    const { token } = await agency.issue()
    const browser = reviewer(server)
    const session = await browser.named(token, 'Nora')
    await browser.open(token, { session })
    await browser.problem('giveVerdict', { token, session, postId: 'no id' })
    await browser.api.fetch('POST', '/api/reviews/look', `{"token":"${token}"`, { 'Content-Type': 'application/json' })
    for (const secret of [token, session]) {
      expect(await filesWith(secret)).toEqual([])
      expect(logged).not.toContain(secret)
    }
  })

  it('has a letter with a link of their own', async () => {
    const contact = await agency.contact('Lea')
    const { token } = await agency.issue({ contacts: [contact.id] })
    expect(tokenIn(await letter(server, contact.email, /Posts of Blue Cup for your review/))).toBe(token)
  })

  it('who judges is told to the people of the agency, in one letter for ten minutes', async () => {
    const email = await confirmedAddress(server, agency.caller)
    const [one, two] = [await agency.submit('First of two'), await agency.submit('Second of two')]
    const { token } = await agency.issue()
    const browser = reviewer(server)
    const session = await browser.named(token, 'Mia')
    const { posts } = await browser.open(token, { session })
    for (const postId of [one, two]) {
      const post = posts.find(({ id }) => id === postId)
      const seen = { postId, seenHash: post?.hash, seenVersion: post?.version }
      await browser.api.callOrThrow('giveVerdict', { body: { token, session, ...seen, verdict: 'approve' } })
    }
    server.clock.advance(600_000)
    const text = await letter(server, email, /2 verdicts on your posts/)
    expect(text).toContain('- Mia approved: First of two')
    expect(text).toContain('- Mia approved: Second of two')
  })
})
