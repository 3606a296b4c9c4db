/** Finds the files that each screen needs before it shows, from the bundler's output. */

export interface Chunk {
  readonly fileName: string
  readonly isEntry: boolean
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  /** Paths of the sources in it. */
  readonly moduleIds: readonly string[]
}

export interface Screen {
  readonly name: string
  /** The path as the router writes it: `/clients/$id`. */
  readonly path: string
  readonly files: ReadonlySet<string>
}

/** The files from the point of view of one opener: other openers may have loaded more or fewer of them. */
export interface LazyPart {
  readonly name: string
  /** The files that it adds to those already loaded. */
  readonly files: ReadonlySet<string>
}

export interface FirstLoad {
  readonly landing: Screen
  readonly signedIn: readonly Screen[]
  readonly lazy: readonly LazyPart[]
  /** In the page itself. */
  readonly entry: ReadonlySet<string>
}

const landing = 'web/features/landing/Landing.tsx'
const dashboard = 'web/features/dashboard/Dashboard.tsx'
const shell = 'web/app/Shell.tsx'
/** Screens that stand alone. */
const withoutShell = new Set(['/onboarding', '/audit/$token', '/review', '/reset-password', '/confirm-email'])
const route = /web\/app\/routes\/(.+)\.tsx\?tsr-split=component$/

export function firstLoad(chunks: readonly Chunk[]): FirstLoad {
  const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const holding = (source: string): string => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(source)))
    if (!chunk) throw new Error(`No file of the bundle holds ${source}. If it has moved, tell web/build/first-load.ts.`)
    return chunk.fileName
  }
  const withImports = (from: readonly string[]): ReadonlySet<string> => {
    const files = new Set<string>()
    const add = (file: string) => {
      if (files.has(file) || !named.has(file)) return
      files.add(file)
      named.get(file)?.imports.forEach(add)
    }
    from.forEach(add)
    return files
  }

  const entry = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)
  const routes = chunks.flatMap(({ fileName, moduleIds }) =>
    moduleIds.flatMap((id) => {
      const file = route.exec(id)?.[1]
      return file === undefined ? [] : [{ file: fileName, path: pathOf(file) }]
    }),
  )
  const screen = (name: string, path: string, ...files: readonly string[]): Screen => ({
    name,
    path,
    files: withImports([...entry, ...files]),
  })
  const signedIn = routes.map(({ file, path }) => {
    if (path === '/') return screen('/ (dashboard)', path, file, holding(shell), holding(dashboard))
    return withoutShell.has(path) ? screen(path, path, file) : screen(path, path, file, holding(shell))
  })
  const home = routes.filter(({ path }) => path === '/').map(({ file }) => file)
  const atLanding = screen('/ (landing page)', '/', ...home, holding(landing))

  const parts = new Set([holding(shell), holding(landing), holding(dashboard), ...routes.map(({ file }) => file)])
  const lazy = new Map<string, LazyPart>()
  const open = (here: ReadonlySet<string>) => {
    for (const file of new Set([...here].flatMap((each) => named.get(each)?.dynamicImports ?? []))) {
      if (parts.has(file) || here.has(file)) continue
      const files = new Set([...withImports([file])].filter((each) => !here.has(each)))
      const key = [file, ...[...files].sort()].join(' ')
      if (lazy.has(key)) continue
      lazy.set(key, { name: file, files })
      open(new Set([...here, ...files]))
    }
  }
  for (const { files } of [atLanding, ...signedIn]) open(files)
  return {
    landing: atLanding,
    signedIn: signedIn.sort((a, b) => a.path.localeCompare(b.path)),
    lazy: [...lazy.values()],
    entry: withImports(entry),
  }
}

/** `clients/index` -> `/clients` */
const pathOf = (file: string) => `/${file}`.replace(/\/index$/, '') || '/'
