/** The imports of a folder's production code, as a graph. Type-only and dynamic imports count. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Import {
  /** Paths from the repository's root. */
  readonly from: string
  readonly to: string
}

/** The rooms of `api`, in the order in which they may import each other: each only those before it. */
export const rooms = [
  'contract',
  'core',
  'records',
  'http',
  'networks',
  'features',
  'sandbox',
  'processes',
  'runtime',
  'operations',
  'composition',
  'bin',
] as const

/** Code that no production code may import. */
export const isTestCode = (path: string): boolean => /\.test\.tsx?$|(^|\/)test\/|^api\/testing\//.test(path)

const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'\n]+)'/g

/** The source files of a folder, as paths from the root. @param folder below the root, e.g. `api` */
export const sourcesIn = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => join(folder, name))

/** @param folder below the root, e.g. `api` */
export function importsOf(root: string, folder: string): readonly Import[] {
  return sourcesIn(root, folder).flatMap((from) =>
    Array.from(readFileSync(join(root, from), 'utf8').matchAll(specifiers), ([, specifier = '']) => ({
      from,
      to: normalize(join(dirname(from), specifier)),
    })),
  )
}

const staticImports = /^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?'([^'\n]+)'/gm

/** What Node loads with a file, itself included: source files as paths from the root, and names of packages. */
export function loadedWith(root: string, entry: string): ReadonlySet<string> {
  const loaded = new Set([entry])
  for (const from of loaded) {
    if (!/\.tsx?$/.test(from)) continue
    for (const [, specifier = ''] of readFileSync(join(root, from), 'utf8').matchAll(staticImports))
      loaded.add(specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier)
  }
  return loaded
}

/** Groups that import each other in a circle, each as a list of names; none when the graph has no cycle. */
export function cyclesOf(edges: readonly (readonly [from: string, to: string])[]): readonly (readonly string[])[] {
  const reach = new Map<string, Set<string>>()
  for (const [from, to] of edges) if (from !== to) reach.set(from, (reach.get(from) ?? new Set()).add(to))
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false
    for (const targets of reach.values()) {
      const before = targets.size
      for (const target of targets) for (const next of reach.get(target) ?? []) targets.add(next)
      hasGrown ||= targets.size > before
    }
  }
  const inCycle = [...reach].filter(([name, targets]) => targets.has(name)).map(([name]) => name)
  const isMutual = (a: string, b: string) => a === b || (reach.get(a)?.has(b) && reach.get(b)?.has(a))
  return inCycle
    .filter((name, index) => inCycle.findIndex((other) => isMutual(name, other)) === index)
    .map((name) => inCycle.filter((other) => isMutual(name, other)))
}
