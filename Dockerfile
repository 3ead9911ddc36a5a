# The gateway. It needs no writable file system: docs/deploy.md. `npm run image:check` does what the stages say, without Docker.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY rolldown.config.ts ./
COPY src ./src
RUN npm run build && rm dist/*.map

FROM node:24-bookworm-slim AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json schema.graphql LICENSE ./
# The files are root's, so that the process cannot change them. Kubernetes accepts a number only as "not root".
USER 1000:1000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "dist/main.js", "health"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
