import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { commonPasswordsModule } from './web/build/common-passwords.ts'
import { codeSplitting } from './web/build/chunks.ts'
import { firstLoad, type Screen } from './web/build/first-load.ts'

/** The one font file that every screen needs, asked for with the page rather than after its styles. */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head' as const,
        })),
  },
})

/** Tells the server which files a screen needs first, so that it can tell the browser with the page. */
const firstFiles = (): Plugin => ({
  name: 'first-files',
  apply: 'build',
  generateBundle(_options, bundle) {
    const { landing, signedIn, entry } = firstLoad(Object.values(bundle).filter((each) => each.type === 'chunk'))
    const beside = ({ files }: Screen) => [...files].filter((file) => !entry.has(file))
    const result = {
      landing: beside(landing),
      signedIn: Object.fromEntries(signedIn.map((screen) => [screen.path, beside(screen)])),
    }
    this.emitFile({ type: 'asset', fileName: '.first-files.json', source: JSON.stringify(result) })
  },
})

export default defineConfig({
  root: 'web',
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: './app/routes',
      generatedRouteTree: './app/routeTree.gen.ts',
      tmpDir: '../node_modules/.cache/router',
      quoteStyle: 'single',
      addExtensions: true,
    }),
    react(),
    tailwindcss(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    preloadFont(),
    firstFiles(),
    commonPasswordsModule(`${import.meta.dirname}/api/features/auth/common-passwords.ts`),
  ],
  // The router's store asks for what React itself has had since version 18, by a substitute for older ones.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // Browsers that run es2023 preload modules by themselves (Safari since 17, Firefox since 115, Chrome since 66:
    // https://caniuse.com/link-rel-modulepreload); in older ones, parts still load when they are needed.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting },
      treeshake: {
        // The contract's modules only declare: an unused one needs no place in the bundle. Its messages are an effect.
        moduleSideEffects: (id) => !/\/(api\/contract\/(?!messages|index)|domain\/|projections\/)/.test(id),
      },
    },
  },
  server: {
    port: Number(process.env['WEB_PORT'] ?? 5173),
    proxy: { '/api': process.env['API_URL'] ?? 'http://127.0.0.1:3000' },
  },
})
