# syntax=docker/dockerfile:1
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY patches patches
RUN npm ci --omit=dev

FROM node:26-slim
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
# Images, and the embedded database where no DATABASE_URL is given, are kept in /data.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY migrations migrations
COPY schema schema
COPY drizzle drizzle
COPY src src
COPY examples examples
COPY docs docs
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Process 1. Linux ignores a SIGKILL that process 1 sends itself, by which the watchdog ends a blocked service.
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-old-space-size=1024", "src/main.ts"]
