/** `npm run dev`: the server restarts and the web app reloads as files change. Open the address that it prints. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const webPort = Number(process.env.PORT ?? 3000)
const apiPort = webPort + 1
const publicUrl = `http://localhost:${webPort}`
const apiUrl = `http://127.0.0.1:${apiPort}`

const api = spawn(process.execPath, ['--import', 'tsx', '--watch', '--watch-preserve-output', 'api/bin/start.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: String(apiPort), PUBLIC_URL: process.env.PUBLIC_URL ?? publicUrl },
})
const web = await createServer({
  configFile: `${root}/vite.config.ts`,
  server: {
    port: webPort,
    strictPort: true,
    proxy: { '/api': apiUrl, '/sandbox': apiUrl, '/healthz': apiUrl, '/readyz': apiUrl },
  },
})
await web.listen()
console.log(`SocialAI with hot reload: ${publicUrl}`)

async function stop() {
  api.kill('SIGTERM')
  await web.close()
  process.exit(0)
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
api.on('exit', (code) => code !== null && code !== 0 && void stop())
