# stiction with all its extras, built from this clone:
#   docker build -t stiction .
#   docker run --rm -it stiction stiction demo
#   docker run --rm -it -p 8080:8080 stiction stiction view anymal_stand --host 0.0.0.0
FROM python:3.12-slim-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ cmake ninja-build && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip wheel --no-deps --wheel-dir /wheels /source

FROM python:3.12-slim-bookworm
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/stiction-*.whl)[all]" && rm -rf /wheels
RUN useradd --create-home user
USER user
WORKDIR /home/user
CMD ["stiction", "demo"]
