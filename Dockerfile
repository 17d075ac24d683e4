# Builds the server and runs it without root. docs/operations.md says how to use the image; the tests verify the paths,
# settings and commands of this file, but they do not build it.

FROM node:24-bookworm-slim AS build
WORKDIR /app
# Packages change less often than sources, so their layer comes first.
COPY package.json package-lock.json .npmrc ./
COPY scripts/install.mjs scripts/install.mjs
RUN node scripts/install.mjs
COPY tsconfig.json ./
COPY scripts scripts
COPY native-bindings native-bindings
COPY src src
COPY clients/typescript/client/src clients/typescript/client/src
COPY clients/typescript/cli/src clients/typescript/cli/src
COPY clients/typescript/evals/src clients/typescript/evals/src
COPY clients/typescript/mcp/src clients/typescript/mcp/src
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts --legacy-peer-deps

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    SERVICE_WORKING_DIR=/data \
    SERVICE_LOGGING_MODE=structured
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist/server dist/server
COPY --from=build /app/dist/web dist/web
COPY config/model-prices.json config/model-prices.json
COPY config/judges config/judges
# The embedded Postgres accepts a data directory of its own user only.
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 6006 4317
# Plain HTTP: replace this check if you enable TLS on the HTTP port.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVICE_PORT || 6006}/readyz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/server/main.js"]
CMD ["serve"]
