# syntax=docker/dockerfile:1
# Has long-term support until April 2028. The native modules (argon2, libsql, sharp) bring binaries for Node-API, which is
# the same for every release, so nothing is compiled here; sign-in and the stores were tried on this one.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

# One image for every process: what a container is, its command says.
FROM node:24.21.0-bookworm-slim AS run
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN install -d -o node -g node -m 700 /data /uploads
USER node
VOLUME /data
EXPOSE 3000
# Node itself, not npm: it hears when it is told to stop.
CMD ["node", "dist/api/bin/start.js"]
