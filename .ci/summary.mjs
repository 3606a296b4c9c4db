/**
 * Sums the JSON reports of `.ci/run`, Vitest's and Playwright's.
 *
 *   node .ci/summary.mjs failed REPORT             prints the files with failures, one on a line
 *   node .ci/summary.mjs sum FAILED FOLDER PART…   prints skips, flaky tests and failures; the last line counts all
 *
 * A part's output is in PART.log; without a report, its end is printed. A part's failed files have a second report,
 * `PART.again.json`: a failed test counts as flaky where it passed there. PART.errors has errors outside of tests, one
 * JSON string on a line, which no repeat takes back. FAILED is 1 when a step failed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'

/** A report of Playwright in the form of Vitest's: its suites are files, in which groups are nested. */
function fromPlaywright({ config, suites, errors }) {
  const stateOf = { expected: 'passed', flaky: 'passed', skipped: 'skipped', unexpected: 'failed' }
  const within = ({ specs = [], suites: groups = [] }, names = []) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ status, results }) => ({
        status: stateOf[status],
        fullName: [...names, title].join(' '),
        failureMessages: results.flatMap(({ errors: found }) => found.map(({ message }) => message)),
      })),
    ),
    ...groups.flatMap((group) => within(group, [...names, group.title])),
  ]
  const testResults = suites.map((suite) => ({
    name: join(config.rootDir, suite.file),
    status: 'passed',
    assertionResults: within(suite),
  }))
  // Errors outside of tests: a file that does not load, the search of the logs, a rejection after the last test.
  return { testResults, errors: errors.map(({ message }) => message) }
}
/** A report that its program did not finish counts as none. */
function read(file) {
  if (!existsSync(file)) return null
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return report.suites ? fromPlaywright(report) : report
  } catch {
    return null
  }
}
const hasFailed = (file) => file.status === 'failed' || file.assertionResults.some(({ status }) => status === 'failed')
const failuresOf = ({ testResults }) =>
  testResults.filter(hasFailed).flatMap((file) => {
    const path = relative(process.cwd(), file.name)
    const tests = file.assertionResults.filter(({ status }) => status === 'failed')
    // A file that breaks before its first test counts as one failure.
    if (tests.length === 0) return [{ path, title: '', message: file.message ?? '' }]
    return tests.map(({ fullName, failureMessages }) => ({ path, title: fullName, message: failureMessages[0] ?? '' }))
  })
const testsOf = (report) =>
  (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName }) => ({ status, at: `${name} ${fullName}`, fullName })),
  )
const shown = ({ path, title }) => `${path} ${title}`
/** What passed: tests, and files all of whose tests did. */
const passedIn = ({ testResults }) =>
  new Set(
    testResults.flatMap((file) => {
      const path = relative(process.cwd(), file.name)
      const passed = file.assertionResults.filter(({ status }) => status === 'passed')
      const tests = passed.map(({ fullName }) => shown({ path, title: fullName }))
      return hasFailed(file) || passed.length === 0 ? tests : [shown({ path, title: '' }), ...tests]
    }),
  )
/** The errors outside of tests, in the file and the reports; one that repeats another counts once. */
function errorsOf(file, ...reports) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const all = [...reports.flatMap((report) => report?.errors ?? []), ...lines.map((line) => JSON.parse(line))]
  return all.filter(
    (error, index) =>
      !all.some((other, at) => at !== index && other.includes(error) && (other !== error || at < index)),
  )
}

const [, , mode, ...rest] = process.argv
if (mode === 'failed') {
  const report = read(rest[0])
  for (const path of new Set(report ? failuresOf(report).map((failure) => failure.path) : [])) console.log(path)
} else {
  const [stepFailed, folder, ...parts] = rest
  let passed = 0
  let flaky = 0
  let missing = 0
  const failures = []
  const reports = new Map(parts.map((part) => [part, read(join(folder, `${part}.json`))]))
  const repeated = parts.map((part) => read(join(folder, `${part}.again.json`)))
  const tests = [...reports.values(), ...repeated].flatMap(testsOf)
  const hasRun = new Set(tests.filter(({ status }) => ['passed', 'failed'].includes(status)).map(({ at }) => at))
  for (const [part, report] of reports) {
    if (!report) {
      missing += 1
      const log = join(folder, `${part}.log`)
      const end = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-30).join('\n') : ''
      console.log(`no report: ${part}. The end of its output:\n${end}`)
      continue
    }
    const again = read(join(folder, `${part}.again.json`))
    const nowPasses = again ? passedIn(again) : new Set()
    const before = failuresOf(report)
    const once = before.filter((failure) => nowPasses.has(shown(failure)))
    const lasting = [...before.filter((failure) => !nowPasses.has(shown(failure))), ...(again ? failuresOf(again) : [])]
    for (const failure of once) console.log(`flaky: ${shown(failure)}\n${failure.message.slice(0, 2_000)}`)
    // The repeat's failures come last, and have its messages.
    failures.push(...new Map(lasting.map((failure) => [shown(failure), failure])).values())
    for (const message of errorsOf(join(folder, `${part}.errors`), report, again))
      failures.push({ path: part, title: 'outside of tests', message })
    const ran = testsOf(report).filter(({ status }) => ['passed', 'failed'].includes(status))
    if (ran.length === 0 && !report.isLeftOut) failures.push({ path: part, title: 'ran no test', message: '' })
    const passedFirst = ran.filter(({ status }) => status === 'passed')
    // The repeat also runs tests that the first run could not, after a failed preparation.
    const namesFirst = new Set(passedFirst.map(({ at }) => at))
    const passedAgain = testsOf(again).filter(({ status, at }) => status === 'passed' && !namesFirst.has(at))
    passed += passedFirst.length + passedAgain.length
    flaky += once.length
  }
  // A test that one part skips and another runs is not skipped.
  const skips = new Map(
    tests
      .filter(({ status, at }) => ['pending', 'skipped', 'todo'].includes(status) && !hasRun.has(at))
      .map(({ at, fullName }) => [at, fullName]),
  )
  for (const fullName of skips.values()) console.log(`skipped: ${fullName}`)
  const skipped = skips.size
  for (const failure of failures) console.log(`failed: ${shown(failure)}\n${failure.message.slice(0, 2_000)}`)
  const isBroken = failures.length === 0 && (stepFailed === '1' || missing > 0)
  const failed = failures.length + (isBroken ? 1 : 0)
  console.log(
    [
      `${passed} passed, ${failed} failed`,
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
      ...(flaky > 0 ? [`${flaky} flaky`] : []),
    ].join(', '),
  )
  process.exitCode = failed > 0 ? 1 : 0
}
